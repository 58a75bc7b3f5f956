"""What programs and simulator say to each other, one text message at a time; ``native/line.c`` is the other end."""

from __future__ import annotations

from collections.abc import Sequence

from understudy.frozen import frozen

NEVER_US = 1 << 62


@frozen
class Wire:
    """Which connection: its own number and that of its other end (TCP ports), or N of /dev/pts/N and 0."""

    serial: bool
    number: int
    peer: int

    @property
    def reversed(self) -> Wire:
        """Return how the other end calls it."""
        return Wire(self.serial, self.peer, self.number)


@frozen
class Report:
    """What a process says of a connection."""

    wire: Wire
    written: int  # bytes: of a socket all so far, of a terminal those since the last report
    unread: int  # bytes that have come; -1: it has not been told of any
    closed: bool
    wants: int = 0  # a thread waits until so many more bytes may be written; 0: none does
    shut: bool = False  # it writes no more


@frozen
class Hello:
    """A process, or a new image of one, takes part."""


@frozen
class Idle:
    """All threads of a process wait."""

    until_us: int
    now_us: int
    awaits_child: bool
    outside: bool  # one waits for input that is no robot's
    ran: bool  # one has run since the process was told to go on
    reports: tuple[Report, ...]


@frozen
class Bye:
    """The last report of an image."""

    now_us: int
    reports: tuple[Report, ...]


@frozen
class About:
    """Something happened to a process: *verb* is spawn, launch, exec, stay, poke, kill or number."""

    verb: str
    pid: int
    now_us: int


@frozen
class Words:
    """A message for the user."""

    text: str
    fatal: bool


Message = Hello | Idle | Bye | About | Words


def parse(text: str) -> Message | None:
    """Return a message; None for what no library of ours says."""
    verb, _, rest = text.partition(" ")
    try:
        if verb in ("note", "fatal"):
            return Words(rest, verb == "fatal")
        words = rest.split()
        match verb:
            case "hello":
                return Hello()
            case "idle":
                until, now, child, outside, ran = (int(word) for word in words[:5])
                until = NEVER_US if until < 0 else until
                return Idle(until, now, bool(child), bool(outside), bool(ran), _reports(words[5:]))
            case "bye":
                return Bye(int(words[0]), _reports(words[1:]))
            case "spawn" | "launch" | "exec" | "stay" | "poke" | "kill" | "number":
                return About(verb, int(words[0]), int(words[1]))
    except (ValueError, IndexError):
        pass
    return None


def _reports(words: Sequence[str]) -> tuple[Report, ...]:
    return tuple(_report(word) for word in words)


def _report(word: str) -> Report:
    kind, *numbers = word.split(":")
    number, peer, written, unread, closed, wants = (int(each) for each in numbers)
    return Report(Wire(kind == "p", number, peer), written, unread, closed == 1, wants, closed == 2)


@frozen
class News:
    """What a process must know of a connection."""

    wire: Wire
    bytes: int  # sent to it: of a socket in all, of a terminal those that are unread
    ended: bool
    room: int  # bytes that may be written now


def go(now_us: int, lease_us: int, child_ended: bool, others: bool, news: Sequence[News]) -> str:
    """Return the message that lets a process go on; *others*: it is not the only one.

    >>> go(5000, 10000, False, True, [News(Wire(False, 40000, 8101), 7, True, 4095)])
    'go 5000 10000 2 40000:8101:7:1:4095'
    """
    words = [f"{each.wire.number}:{each.wire.peer}:{each.bytes}:{int(each.ended)}:{each.room}" for each in news]
    return " ".join(["go", str(now_us), str(lease_us), str(child_ended + 2 * others), *words])
