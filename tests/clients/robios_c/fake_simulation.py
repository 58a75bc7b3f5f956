"""A simulation that speaks the wire of RoBIOS programs, and notes what they say: for tests of the C library."""

import json
import os
import socket
import struct
import subprocess
import threading
from dataclasses import dataclass, field

HELLO, WAIT, BYE, CALL, QUERY = 1, 2, 7, 16, 17
WELCOME, GO, ERROR, END, RESULT, HEARD = 129, 130, 133, 134, 144, 145
# the fixed part of a frame; test_the_frame_is_that_of_the_simulator compares it
FIELDS = (
    ("flags", "I"), ("stalled", "I"), ("x_m", "d"), ("y_m", "d"), ("rad", "d"), ("m_s", "d"), ("rad_s", "d"),
    ("remaining_m", "d"), ("encoders", "4i"), ("compass_deg", "i"), ("digital", "I"), ("analog", "8H"),
    ("centivolts", "i"), ("keys", "I"), ("presses", "4I"), ("touch", "2i"), ("touches", "I"),
)  # fmt: skip
DRIVING, STARTED, SOUNDING = 1, 2, 4


def packed_frame(values):
    """Return the bytes of a frame; what is not named is 0."""
    fixed = b""
    for name, form in FIELDS:
        value = values.get(name, STARTED if name == "flags" else 0)
        count = int(form[:-1] or 1)
        numbers = value if isinstance(value, (tuple, list)) else (value,) * count
        fixed += struct.pack("<" + form, *numbers)
    fixed += b"".join(struct.pack("<i", mm) for mm in values.get("psd", ()))
    fixed += b"".join(struct.pack("<i", on) for on in values.get("ir", ()))
    return fixed + b"".join(struct.pack("<Iq", *bump) for bump in values.get("bumps", ()))


@dataclass
class Fake:
    """One run of one program; `frames` maps a time in us to the values that hold from then on."""

    gated: bool = True
    tick_us: int = 10_000
    frames: dict = field(default_factory=dict)
    answers: dict = field(default_factory=dict)  # number of a query -> bytes, or an Exception for ERROR
    heard: dict = field(default_factory=dict)  # time -> (number, sender, bytes)
    end_us: int = 10_000_000_000
    end_text: str = ""
    hang_up_us: int = 10_000_000_000
    psd: tuple = ((1, "PSD_FRONT"), (2, "PSD_LEFT"), (3, "PSD_RIGHT"))
    ir: tuple = ()
    bumper: tuple = ()
    screen: str = "480 320"
    robot_id: int = 1
    welcome_error: str = ""

    def run(self, program, *arguments, timeout=20, stdin=None):
        """Run a program at this simulation's seat; returns what it has printed."""
        own, other = socket.socketpair()
        self.said, self.hello, self.t_us = [], {}, 0
        talk = threading.Thread(target=self._talk, args=(own,), daemon=True)
        environment = {**os.environ, "UNDERSTUDY_SEAT": f"fd:{other.fileno()}"}
        talk.start()
        with other:
            process = subprocess.Popen(
                [str(program), *arguments], env=environment, pass_fds=[other.fileno()], text=True,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            )  # fmt: skip
        try:
            self.out, self.err = process.communicate(timeout=timeout)
        finally:
            process.kill()
            process.wait()
        self.code = process.returncode
        talk.join(timeout)
        own.close()
        return self.out

    @property
    def calls(self):
        """Return the calls of the program: opcode and arguments; without the one that reports it ready."""
        return [content for kind, content in self.said if kind == CALL and content[0] != 90]

    @property
    def waits(self):
        """Return what the program has waited (us)."""
        return [content for kind, content in self.said if kind == WAIT]

    @property
    def queries(self):
        """Return the queries of the program."""
        return [content for kind, content in self.said if kind == QUERY]

    @property
    def left(self):
        """Return whether the program has said goodbye."""
        return any(kind == BYE for kind, _ in self.said)

    # ---- the other thread

    def _talk(self, sock):
        try:
            while True:
                head = self._exactly(sock, 5)
                size, kind = struct.unpack("<IB", head)
                content = self._exactly(sock, size)
                if not self._answer(sock, kind, content):
                    return
        except (EOFError, OSError):
            return

    @staticmethod
    def _exactly(sock, size):
        data = b""
        while len(data) < size:
            part = sock.recv(size - len(data))
            if not part:
                raise EOFError
            data += part
        return data

    def _answer(self, sock, kind, content):
        if kind == HELLO:
            self.hello = json.loads(content)
            if self.welcome_error:
                self._send(sock, END, self.welcome_error.encode())
                return False
            self._send(sock, WELCOME, self._welcome().encode())
            self._go(sock)
            return True
        self.said.append((kind, self._waited(content) if kind == WAIT else content))
        if kind == WAIT:
            return self._advance(sock, self.said[-1][1])
        if kind == QUERY:
            answer = self.answers.get(content[0], b"")
            refused = isinstance(answer, Exception)
            self._send(sock, ERROR if refused else RESULT, str(answer).encode() if refused else answer)
        return kind != BYE

    def _waited(self, content):
        """Return how long a WAIT is (us); one until a signal changes is a tick long here."""
        return struct.unpack_from("<q", content)[0] if len(content) == 8 else self.tick_us

    def _advance(self, sock, us):
        ticks = max(1, -(-us // self.tick_us))
        self.t_us += ticks * self.tick_us
        if self.t_us >= self.hang_up_us:
            sock.shutdown(socket.SHUT_RDWR)
            return False
        if self.t_us >= self.end_us:
            self._send(sock, END, self.end_text.encode())
            return False
        self._go(sock)
        return True

    def _go(self, sock):
        values = {"psd": (9999,) * len(self.psd), "ir": (0,) * len(self.ir), "bumps": ((0, 0),) * len(self.bumper)}
        for begin_us in sorted(time for time in self.frames if time <= self.t_us):
            values |= self.frames[begin_us]
        for due_us in sorted(time for time in self.heard if time <= self.t_us):
            number, sender, data = self.heard.pop(due_us)
            self._send(sock, HEARD, struct.pack("<Ii", number, sender) + data)
        self._send(sock, GO, struct.pack("<q", self.t_us) + packed_frame(values))

    def _welcome(self):
        lines = [
            "robot Pip", f"id {self.robot_id}", f"pace {'gated' if self.gated else 'realtime'}",
            f"tick_us {self.tick_us}", "t_us 0", "cost_us 20", f"screen {self.screen}", "drive differential",
            "camera 1", "lidar 1",
        ]  # fmt: skip
        for kind in ("psd", "ir", "bumper"):
            lines += [f"{kind} {number} {name}" for number, name in getattr(self, kind)]
        return "\n".join(lines)

    @staticmethod
    def _send(sock, kind, content):
        sock.sendall(struct.pack("<IB", len(content), kind) + content)
