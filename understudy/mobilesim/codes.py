"""MobileSim's exit codes (manual, "Exit Codes"), and the error that carries one."""

from __future__ import annotations

from understudy.errors import UnderstudyError

ARGUMENTS = 255
TEMPORARY_FILE = 254
MAP = 253
START = 252
PARAMETERS = 250
EMULATION = 249
SOCKET = 248
CRASH = 236

MEANINGS = {
    0: "no error",
    ARGUMENTS: "invalid command line",
    TEMPORARY_FILE: "a log file or tape cannot be written",
    MAP: "the map cannot be loaded",
    START: "the simulation cannot be started",
    PARAMETERS: "a robot parameter file (.p) cannot be loaded",
    EMULATION: "a robot does not speak the Pioneer's protocol",
    SOCKET: "a TCP port cannot be opened",
    CRASH: "the simulator has crashed; see the log",
}


class StartError(UnderstudyError, RuntimeError):
    """The simulation cannot be started; carries MobileSim's exit code for the reason."""

    def __init__(self, code: int, text: str) -> None:
        self.code = code
        super().__init__(text)
