"""How private a release without added noise is, to somebody who is uncertain about the records."""
