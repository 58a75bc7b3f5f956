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
    """What a process says of a connection: of a socket all bytes so far, of a terminal those since the last report."""

    wire: Wire
    written: int
    read: int
    closed: bool


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
    """Something happened to a process: *verb* is spawn, exec, stay or poke."""

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
            case "spawn" | "exec" | "stay" | "poke":
                return About(verb, int(words[0]), int(words[1]))
    except (ValueError, IndexError):
        pass
    return None


def _reports(words: Sequence[str]) -> tuple[Report, ...]:
    return tuple(_report(word) for word in words)


def _report(word: str) -> Report:
    kind, *numbers = word.split(":")
    number, peer, written, read, closed = (int(each) for each in numbers)
    return Report(Wire(kind == "p", number, peer), written, read, bool(closed))


@frozen
class News:
    """What has been sent to a connection: of a socket bytes in all, of a terminal bytes that are unread."""

    wire: Wire
    bytes: int
    ended: bool


def go(now_us: int, lease_us: int, child_ended: bool, news: Sequence[News]) -> str:
    """Return the message that lets a process go on.

    >>> go(5000, 10000, False, [News(Wire(False, 40000, 8101), 7, True)])
    'go 5000 10000 0 40000:8101:7:1'
    """
    words = [f"{each.wire.number}:{each.wire.peer}:{each.bytes}:{int(each.ended)}" for each in news]
    return " ".join(["go", str(now_us), str(lease_us), str(int(child_ended)), *words])
