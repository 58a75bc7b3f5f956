"""A Pioneer's gripper: two paddles and a lift; actions and switch bits are those of ARIA's ArGripper."""

from __future__ import annotations

from dataclasses import dataclass

PADDLES_S, LIFT_S = 1.5, 2.0  # time from one end to the other; estimates
GRIP_AT = 0.5  # how far the paddles have closed when they touch a thing between them
STEP_S = 0.02  # unit of GRIPPERVAL

OPEN, CLOSE, STOP, UP, DOWN, LIFT_STOP, STORE, DEPLOY, HALT, PRESSURE, CARRY = 1, 2, 3, 4, 5, 6, 7, 8, 15, 16, 17
# action -> targets of paddles (0 open, 1 closed) and lift (0 down, 1 up); STAY: stop here, KEEP: keep the target
STAY, KEEP = -1.0, None
MOVES: dict[int, tuple[float | None, float | None]] = {
    OPEN: (0.0, KEEP),
    CLOSE: (1.0, KEEP),
    STOP: (STAY, KEEP),
    UP: (KEEP, 1.0),
    DOWN: (KEEP, 0.0),
    LIFT_STOP: (KEEP, STAY),
    STORE: (1.0, 1.0),
    DEPLOY: (0.0, 0.0),
    HALT: (STAY, STAY),
}


@dataclass(slots=True)
class GripperState:
    """Positions (0 to 1) and targets of paddles and lift, and whether the paddles hold something."""

    paddles: float = 0.0
    paddles_to: float = STAY
    lift: float = 0.0
    lift_to: float = STAY
    action: int = 0  # the last action; a value for it may follow
    grasp_time: int = 0  # how long the paddles keep pressing, in steps of 20 ms
    touching: bool = False  # the paddles have closed on something
    holding: bool = False

    def act(self, action: int) -> None:
        """Start an action."""
        self.action = action
        paddles, lift = MOVES.get(action, (KEEP, KEEP))
        self.paddles_to = self.paddles_to if paddles is None else paddles
        self.lift_to = self.lift_to if lift is None else lift

    def give(self, value: int) -> None:
        """Take the value for the last action: grasp pressure, or how long the lift moves."""
        if self.action == PRESSURE:
            self.grasp_time = max(0, min(255, value))
        elif self.action == CARRY:
            self.lift_to = max(0.0, min(1.0, self.lift + value * STEP_S / LIFT_S))

    def advance(self, broken: bool, dt_s: float) -> str:
        """Move for *dt_s*; return ``grasp`` or ``release`` when the paddles close on something or release it."""
        self.lift, self.lift_to = _moved(self.lift, self.lift_to, dt_s / LIFT_S)
        before = self.paddles
        if self.touching and self.paddles_to > self.paddles:
            self.paddles_to = STAY
        self.paddles, self.paddles_to = _moved(self.paddles, self.paddles_to, dt_s / PADDLES_S)
        if before < GRIP_AT <= self.paddles and broken:
            self.paddles, self.paddles_to, self.touching = GRIP_AT, STAY, True
            return "grasp"
        if self.touching and self.paddles < before:
            self.touching = False
            return "release" if self.holding else ""
        return ""

    def switches(self, outer: bool, inner: bool) -> int:
        """Return the eight switches; those of limits and paddles are 0 when pressed."""
        pressed = self.touching or self.paddles >= 1.0
        bits = (
            self.paddles > 0.0, 0.0 < self.lift < 1.0, outer, inner, not pressed, not pressed,
            self.lift_to != STAY, self.paddles_to != STAY,
        )  # fmt: skip
        return sum(bit << n for n, bit in enumerate(bits))


def _moved(at: float, to: float, step: float) -> tuple[float, float]:
    """Return the position of a part after a move of at most *step*, and its remaining target."""
    if to == STAY:
        return at, STAY
    at = min(to, at + step) if to > at else max(to, at - step)
    return at, STAY if at == to else to
