"""The commands that a SICK LMS-200 takes, and its replies."""

from __future__ import annotations

from understudy.frozen import frozen


@frozen
class SetMode:
    """Change the operating mode; *first* and *last* count readings from 1, *mean_of* scans."""

    mode: int
    password: str = ""
    mean_of: int = 0
    first: int = 0
    last: int = 0


@frozen
class ModeSet:
    """Whether the mode was changed: 0 yes, 1 the password is wrong, 2 it is not possible now."""

    code: int


@frozen
class ChangeBaud:
    """Talk at another baud rate, until the next restart."""

    baud: int


@frozen
class SetVariant:
    """Change field of view (deg) and angular step (1/100 deg)."""

    angle_deg: int
    step: int


@frozen
class VariantSet:
    """Whether the variant was changed, and the present one."""

    ok: bool
    angle_deg: int
    step: int


@frozen
class RequestScan:
    """Send one scan as soon as it is measured."""


@frozen
class ScanPromised:
    """Whether a scan will follow."""

    ok: bool


@frozen
class ReadStatus:
    """Read the status."""


@frozen
class Status:
    """The present settings."""

    mode: int
    measuring: int
    angle_deg: int
    step: int
    millimetres: bool
    availability: int


@frozen
class ReadErrors:
    """Read the list of errors."""


@frozen
class ErrorReport:
    """Pairs of error type and number; a simulated scanner has none."""

    pairs: tuple[tuple[int, int], ...] = ()


@frozen
class ReadType:
    """Read type and software version."""


@frozen
class TypeName:
    """Type and software version."""

    text: str


@frozen
class ReadConfiguration:
    """Read the configuration."""


@frozen
class WriteConfiguration:
    """Change the first bytes of the configuration; at least blocks A to E."""

    data: tuple[int, ...]


@frozen
class Configuration:
    """Whether it was changed, and the present configuration."""

    ok: bool
    data: tuple[int, ...]


@frozen
class Restart:
    """Begin again as after power-on; configuration and variant stay."""


@frozen
class Unsupported:
    """A request that the scanner does not support."""

    code: int = 0


@frozen
class Acknowledged:
    """The scanner has understood; the reply to commands that have no other."""
