"""The commands that a SICK LMS-200 takes, and its replies."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SetMode:
    """Change the operating mode; *first* and *last* count readings from 1, *mean_of* scans."""

    mode: int
    password: str = ""
    mean_of: int = 0
    first: int = 0
    last: int = 0


@dataclass(frozen=True, slots=True)
class ModeSet:
    """Whether the mode was changed: 0 yes, 1 the password is wrong, 2 it is not possible now."""

    code: int


@dataclass(frozen=True, slots=True)
class ChangeBaud:
    """Talk at another baud rate, until the next restart."""

    baud: int


@dataclass(frozen=True, slots=True)
class SetVariant:
    """Change field of view (deg) and angular step (1/100 deg)."""

    angle_deg: int
    step: int


@dataclass(frozen=True, slots=True)
class VariantSet:
    """Whether the variant was changed, and the present one."""

    ok: bool
    angle_deg: int
    step: int


@dataclass(frozen=True, slots=True)
class RequestScan:
    """Send one scan as soon as it is measured."""


@dataclass(frozen=True, slots=True)
class ScanPromised:
    """Whether a scan will follow."""

    ok: bool


@dataclass(frozen=True, slots=True)
class ReadStatus:
    """Read the status."""


@dataclass(frozen=True, slots=True)
class Status:
    """The present settings."""

    mode: int
    measuring: int
    angle_deg: int
    step: int
    millimetres: bool
    availability: int


@dataclass(frozen=True, slots=True)
class ReadErrors:
    """Read the list of errors."""


@dataclass(frozen=True, slots=True)
class ErrorReport:
    """Pairs of error type and number; a simulated scanner has none."""

    pairs: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class ReadType:
    """Read type and software version."""


@dataclass(frozen=True, slots=True)
class TypeName:
    """Type and software version."""

    text: str


@dataclass(frozen=True, slots=True)
class ReadConfiguration:
    """Read the configuration."""


@dataclass(frozen=True, slots=True)
class WriteConfiguration:
    """Change the first bytes of the configuration; at least blocks A to E."""

    data: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Configuration:
    """Whether it was changed, and the present configuration."""

    ok: bool
    data: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Restart:
    """Begin again as after power-on; configuration and variant stay."""


@dataclass(frozen=True, slots=True)
class Unsupported:
    """A request that the scanner does not support."""

    code: int = 0


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """The scanner has understood; the reply to commands that have no other."""
