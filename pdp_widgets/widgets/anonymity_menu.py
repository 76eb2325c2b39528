"""What an anonymity explorer offers: what is published beside the classes, and readings of the theorems."""

from __future__ import annotations

from typing import Any

from pdp_widgets.leakage.noiseless.anonymity_inputs import readings_of, releases_of
from pdp_widgets.leakage.noiseless.anonymity_words import reading_label
from pdp_widgets.models.microdata import Microdata
from pdp_widgets.publish.anonymity_names import release_label
from pdp_widgets.widgets.wire import label_texts

__all__ = ["EVENTS", "LEVELS", "NEIGHBOURS", "reading_choices", "release_choices"]

LEVELS = ("I", "II", "III", "IV")
NEIGHBOURS = ("value", "presence")
EVENTS = ("all", "interval", "halfline")


def release_choices(data: Microdata, quasi: tuple[int, ...], secret: int | None) -> list[tuple[str, str]]:
    """Return keys and labels of what can be published, in the order of the menu.

    Examples
    --------
    >>> from pdp_widgets.models.clinic import clinic
    >>> release_choices(clinic(), (0, 1), 2)[1]
    ('count:yes', 'Count, diabetes')
    """
    name = None if secret is None else data.names[secret]
    return [(key, release_label(key, name)) for key in releases_of(data, quasi, secret)]


def reading_choices(release: str, level: str) -> list[dict[str, Any]]:
    """Return the readings that fit, as the browser lists them.

    Examples
    --------
    >>> [one["label"] for one in reading_choices("sum:weight", "III")]
    ['Theorem 6, sum of powers', 'Theorem 6, power of the sum']
    """
    return [
        {"key": key, "label": label_texts([reading_label(key, level)])[0]}
        for key in readings_of(release, level)
    ]
