"""Pages that are watched, as those of other hosts are."""

from tests.hosts.conftest import watch  # noqa: F401 - a fixture
