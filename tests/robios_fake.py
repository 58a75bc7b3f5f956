"""A simulator that speaks the RoBIOS wire, for tests of the client: a thread at the other end of a socket pair.

It has no physics: tests set the values of its frame, and look at the orders that came.
"""

from __future__ import annotations

import json
import socket
import struct
import threading

from understudy.clients.understudy_robios import calls, session, wire
from understudy.clients.understudy_robios.frame import FIELDS
from understudy.clients.understudy_robios.session import Session

SENSORS = (
    "psd 1 PSD_FRONT", "psd 2 PSD_LEFT", "psd 3 PSD_RIGHT", "ir -300 IR_LF", "ir -301 IR_RF", "bumper -500 BUMP_LEFT",
    "bumper -501 BUMP_RIGHT",
)  # fmt: skip
session._end_process = lambda: None  # the end of a simulation is not that of the tests
NAMES = {opcode: (name, form) for name, (opcode, form) in wire.ORDERS.items()}
QUESTIONS = {number: (name, form) for name, (number, form) in wire.QUERIES.items()}


class FakeSimulator:
    """The simulator's side of a seat."""

    def __init__(self, gated=True, tick_us=5000, sensors=SENSORS, **frame):
        self.own, self.other = socket.socketpair()
        self.own.settimeout(20.0)
        self.gated, self.tick_us, self.sensors, self.t_us = gated, tick_us, sensors, 0
        self.frame = {name: 0 if len(form) == 1 else (0,) * int(form[0]) for name, form in FIELDS}
        self.frame.update(flags=2, psd=[100, 200, 300], ir=[0, 1], bumps=[(0, 0), (0, 0)], **frame)
        self.orders, self.waits, self.hello = [], [], None  # orders: (name, *numbers[, rest])
        self.answers = {}  # name of a query -> bytes, or a function of its arguments
        self.before_go = []  # records that go out before the next GO
        self.at_tick = lambda fake: None  # called before each GO
        self.over = threading.Event()  # the program has left
        self.said_bye = False
        self._thread = threading.Thread(target=self._serve, daemon=True, name="understudy fake")
        self._thread.start()

    def session(self, *threads):
        return Session(self.other, ["program.py", "a"], threads)

    def named(self, *names):
        """Return the orders with these names."""
        return [order for order in self.orders if order[0] in names]

    def _serve(self):
        reader = wire.RecordReader(self.own)
        try:
            while True:
                self._take(*reader.next())
        except (EOFError, OSError):
            pass
        self.over.set()

    def _take(self, kind, content):
        if kind == wire.HELLO:
            self.hello = json.loads(content)
            self.own.sendall(wire.record(wire.WELCOME, self._greeting().encode()) + self._go())
        elif kind == wire.WAIT:
            (us,) = struct.unpack_from("<q", content)
            if len(content) > 8:  # until a signal changes: this simulation looks at nothing, and goes on a tick later
                us = self.tick_us
            self.waits.append(us)
            self.t_us += max(-(-us // self.tick_us), 1) * self.tick_us
            self.at_tick(self)
            early, self.before_go = b"".join(self.before_go), []
            self.own.sendall(early + self._go())
        elif kind == wire.CALL:
            self._order(content)
        elif kind == wire.QUERY:
            self._answer(content)
        elif kind == wire.BYE:
            self.said_bye = True

    def _greeting(self):
        pace = "gated" if self.gated else "realtime"
        head = ["robot pip", "id 3", f"pace {pace}", f"tick_us {self.tick_us}", "t_us 0", "cost_us 20"]
        return "\n".join([*head, "screen 480 320", "drive differential", "camera 1", "lidar 1", *self.sensors])

    def _go(self):
        fields = b"".join(
            struct.pack("<" + form, *(value if isinstance(value, tuple) else (value,)))
            for form, value in ((form, self.frame[name]) for name, form in FIELDS)
        )
        ranges = struct.pack(f"<{len(self.frame['psd'])}i", *self.frame["psd"])
        ranges += struct.pack(f"<{len(self.frame['ir'])}i", *self.frame["ir"])
        bumps = b"".join(struct.pack("<Iq", *bump) for bump in self.frame["bumps"])
        return wire.record(wire.GO, struct.pack("<q", self.t_us) + fields + ranges + bumps)

    def _order(self, content):
        name, form = NAMES[content[0]]
        size = struct.calcsize("<" + form)
        rest = content[1 + size :]
        self.orders.append((name, *struct.unpack_from("<" + form, content, 1), *([rest] if rest else [])))

    def _answer(self, content):
        name, form = QUESTIONS[content[0]]
        answer = self.answers.get(name, b"")
        if callable(answer):
            answer = answer(*struct.unpack_from("<" + form, content, 1))
        self.own.sendall(wire.record(wire.RESULT, answer))

    def hear(self, number, sender, data):
        """Let a radio message arrive before the next GO."""
        self.before_go.append(wire.record(wire.HEARD, struct.pack("<Ii", number, sender) + data))

    def hang_up(self):
        self.own.shutdown(socket.SHUT_RDWR)

    def close(self):
        self.other.close()
        self.own.close()
        self._thread.join(5.0)


def connect(fake, *threads):
    """Return a session with a fake simulator that the API's functions use."""
    session = fake.session(*threads)
    calls.use(session)
    return session


def flush(session):
    """Let the orders so far arrive at the simulator."""
    session.begin(False)
    session.settle()
    session.end()
