"""Calls every function of a RoBIOS module with absurd arguments: run as a process of its own, since it may crash.

``python absurd_calls.py eye`` prints each function before it is called; it ends with ``done`` if nothing crashed.
Whatever a function raises is fine, as long as it is a Python exception with a message.
"""

import ctypes
import importlib
import inspect
import itertools
import math
import sys
import threading
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2] / "understudy" / "clients")]

import understudy_robios  # noqa: E402
from understudy_robios import calls, session, wire  # noqa: E402
from understudy_robios.session import Session  # noqa: E402

sys.modules["understudy.clients.understudy_robios"] = understudy_robios  # what the fake simulator imports is ours
for _name in ("calls", "session", "wire", "frame"):
    sys.modules[f"understudy.clients.understudy_robios.{_name}"] = importlib.import_module(f"understudy_robios.{_name}")

from robios_fake import FakeSimulator  # noqa: E402

MOST_CALLS = 400  # of one function
MOST_TICKS = 500
NOT_CALLED = {"OSExecute"}  # runs what it is given


class Odd:
    """Something that is nothing a function could use, and says so."""

    def __int__(self):
        raise ValueError("no number")

    def __len__(self):
        return -1

    def __getitem__(self, index):
        raise RuntimeError("no items")


def values():
    """Return absurd arguments, new ones each time: some are written to."""
    return [
        None, "", "a", b"", b"\0\xff", 0, -1, 1, 2**31, -(2**63), 10**30, math.nan, math.inf, -math.inf, 1e300, 1j,
        True, [], [None], [1, 2, 3], (), {}, object(), Odd(), lambda: None, ctypes.c_int(5), ctypes.c_double(math.nan),
        ctypes.c_char_p(), ctypes.c_char_p(b"ab"), ctypes.c_void_p(), ctypes.POINTER(ctypes.c_int)(),
        ctypes.POINTER(ctypes.c_byte)(ctypes.c_byte(3)), ctypes.pointer(ctypes.c_int(4)), ctypes.byref(ctypes.c_int(1)),
        (ctypes.c_int * 2)(), (ctypes.c_byte * 1)(), (ctypes.c_byte * 0)(), ctypes.create_string_buffer(3),
        ctypes.cast((ctypes.c_byte * 4)(), ctypes.POINTER(ctypes.c_byte)), bytearray(2), bytearray(),
        memoryview(b"abc"), "%s%d%n%*c", "x" * 100_000, range(10**9), threading.Lock(),
    ]  # fmt: skip


def fake():
    """Return a simulator in which keys are pressed and messages come all the time; it leaves after a while."""
    made = FakeSimulator()
    ticks = itertools.count()

    def at_tick(self):
        self.frame["presses"] = tuple(count + 1 for count in self.frame["presses"])
        self.frame["touches"] += 1
        if len(made.orders) > 1000:
            made.orders.clear()
        if next(ticks) == MOST_TICKS:  # the program waits for something that never comes
            made.hang_up()
        made.hear(made.t_us // made.tick_us % 2**31, 2, b"hello")

    made.at_tick = at_tick
    return made


def arguments(function, count):
    """Yield lists of arguments: each value in each place, beside plain numbers; then all places alike."""
    for place, n in itertools.product(range(count), range(len(values()))):
        row = [1] * count
        row[place] = values()[n]
        yield row
    for n in range(len(values())):
        yield [values()[n] for _ in range(count)]


def counts(function):
    parameters = [p for p in inspect.signature(function).parameters.values() if p.kind != p.KEYWORD_ONLY]
    least = sum(p.default is p.empty and p.kind == p.POSITIONAL_OR_KEYWORD for p in parameters)
    most = len(parameters) + any(p.kind == p.VAR_POSITIONAL for p in parameters)
    return sorted({least, most})


def attempt(function, row):
    try:
        function(*row)
    except Exception as problem:
        if not str(problem) and not isinstance(problem, (KeyError, AssertionError)):
            raise AssertionError(f"{function.__name__}{row!r:.100}: {problem!r} says nothing") from problem
    except SystemExit:
        pass


def main(module_name):
    """Call all functions of a module."""
    calls.use(fake().session())
    module = importlib.import_module(module_name)
    names = sorted(name for name in vars(module) if name.isupper() is False and name[:2].isupper())
    for name in names:
        function = getattr(module, name)
        if not callable(function) or isinstance(function, type) or name in NOT_CALLED:
            continue
        print(name, flush=True)
        for count in counts(function):
            for row in itertools.islice(arguments(function, count), MOST_CALLS):
                if calls.process.session is None or calls.process.session._turns.over:
                    calls.use(fake().session())
                attempt(function, row)
    print("done", flush=True)


if __name__ == "__main__":
    session._end_process = lambda grace_s=0.0: None
    assert Session is session.Session
    assert wire.VERSION == 1
    main(sys.argv[1])
