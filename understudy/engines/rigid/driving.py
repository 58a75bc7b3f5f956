"""Our own wheels on MuJoCo's bodies: one kernel writes the forces of all wheels before each sub-step.

A wheel is a ray down from its axle. Where it hits something, a spring and a damper carry the robot along the normal,
and a brush tyre model, whose bristles deflect until friction is saturated, transmits force along the ground: forward
against the rim, sideways against the axle. The rim turns at the speed that the drive commands, within the motor's
torque: if more force is needed, the rim slows down to what the ground allows, down to a stall. The body under the
wheel gets the opposite force.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from understudy import elementary
from understudy.engines.rays.simd.llvm import array_at
from understudy.engines.rays.spatial.solid_shapes import Cells, Solids, neighbours
from understudy.engines.rays.spatial.solids import OBSTACLE, SolidWorld
from understudy.engines.rigid.readout import place, turn_of
from understudy.engines.rigid.rows import (
    BODY,
    CASTOR,
    ROBOT,
    ROLLERS,
    ROLLING,
    WHEEL,
    Array,
    Ints,
    PackedWheels,
    Records,
    Vehicles,
    pack,
)  # fmt: skip
from understudy.engines.rigid.wheel_contact_flat import under
from understudy.jit import inner, kernel

_STALLED_S = 0.05  # a motor at its limit for this long, and far from its command, is stalled
_STOP = 10.0  # stiffness factor of a fully compressed spring
_TINY = 1e-9
_NEARLY = 0.98  # a motor at this share of its torque is at its limit
_STILL = 1e-3  # a car slower than this keeps its steering angle (m/s)


@inner()
def _toward(now, want, limit, step):
    """Return the speed after a sub-step: nearer to the target, within the motors' limits."""
    return min(max(min(max(want, -limit), limit), now - step), now + step)


@inner()
def _ask(me, wheels, v, u, w, dt):
    """Let the rims follow the drive's command, and count their paths; return the resulting speeds."""
    ahead, aside, turn = 0.0, 0.0, 0.0
    for k in range(me.first, me.last):
        rim = wheels[k].wish if wheels[k].kind == ROLLING else wheels[k].rim
        ahead += wheels[k].to_v * rim
        aside += wheels[k].to_u * rim
        turn += wheels[k].to_w * rim
    ahead = _toward(ahead, v, me.max_v, me.accel * dt)
    aside = _toward(aside, u, me.max_u, me.accel * dt)
    turn = _toward(turn, w, me.max_w, me.accel_w * dt)
    if me.car:
        turn = min(max(turn, -abs(ahead) * me.curve), abs(ahead) * me.curve)
    for k in range(me.first, me.last):
        wheel = wheels[k]
        if wheel.driven:
            rim = wheel.per_v * ahead + wheel.per_u * aside + wheel.per_w * turn
            wheel.wish = rim = min(max(rim, -me.fastest), me.fastest)
            if wheel.kind != ROLLING and (rim - wheel.rim) * wheel.strained <= 0.0:
                wheel.rim = rim  # otherwise its motor is at its limit
        if wheel.steered and abs(ahead) > _STILL:
            curve = turn / ahead
            wheel.steer = elementary.atan2(curve * wheel.x, 1.0 - curve * wheel.y)


@inner()
def _roll(wheel, world):
    """Read the speed of a contact wheel; return the direction in which its motor is at its limit."""
    wheel.rim = world.speed[wheel.dof] * wheel.radius
    if wheel.control < 0:
        return 0
    effort = world.effort[wheel.control] / wheel.radius
    return _sign(effort, abs(effort) >= wheel.motor * _NEARLY)


@inner()
def _command(me, world):
    """Send the drive's command to the servos of contact wheels."""
    for k in range(me.first, me.last):
        wheel = world.wheels[k]
        if wheel.kind == ROLLING:
            if wheel.control >= 0:
                world.control[wheel.control] = wheel.wish / wheel.radius
            if wheel.steering >= 0:
                world.control[wheel.steering] = wheel.steer


@inner()
def _count(me, wheels, dt):
    """Add the rotation of a robot's wheels to their paths."""
    ahead, aside, turn = 0.0, 0.0, 0.0
    for k in range(me.first, me.last):
        ahead += wheels[k].to_v * wheels[k].rim
        aside += wheels[k].to_u * wheels[k].rim
        turn += wheels[k].to_w * wheels[k].rim
    half = 0.5 * me.track * turn
    me.left += (ahead - half) * dt
    me.right += (ahead + half) * dt
    me.aside += aside * dt


@inner()
def _bearing(wheel, reach, rate):
    """Return the force of a suspension for a distance of the axle from the ground, and its rate of approach (N)."""
    pressed = wheel.radius - reach
    force = wheel.load + wheel.stiff * pressed + wheel.damp * rate
    if pressed > wheel.up:
        force += _STOP * wheel.stiff * (pressed - wheel.up)
    return min(max(force, 0.0), wheel.most)


@inner()
def _sign(force, limited):
    """Return the direction in which a motor at its limit pushes; 0 if it is not at its limit."""
    return (1 if force > 0.0 else -1) if limited else 0


@inner()
def _slip(wheel, bend, force, dt):
    """Return the speed of a rim relative to the ground at which its deflected bristles pull with a force (m/s)."""
    return (force + wheel.bristle * bend) / (wheel.bristle * dt + wheel.brush)


@inner()
def _tyre(wheel, along, across, bears, grip, dt):
    """Return the tyre force along and across the rolling direction (N), and the direction of a motor at its limit.

    *along* and *across* are the speeds of the robot over the ground. A castor has no rolling direction.
    """
    free = wheel.kind != CASTOR and not wheel.driven
    slip_x = 0.0 if free else along - wheel.rim
    bend_x, bend_y = wheel.bend_x + slip_x * dt, wheel.bend_y + across * dt
    fx = 0.0 if free else -wheel.bristle * bend_x - wheel.brush * slip_x
    fy = -wheel.bristle * bend_y - wheel.brush * across
    most = wheel.mu * grip * bears
    if wheel.slips:
        most *= wheel.slip
    size = math.sqrt(fx * fx + fy * fy)
    share = most / size if size > most else 1.0
    wheel.slips = size > most
    power = wheel.motor if fx * wheel.wish > 0.0 else wheel.brake
    if wheel.share > 0.0 and fx * wheel.wish > 0.0:
        power = min(power, wheel.share * wheel.mu * grip * bears)
    limited = wheel.driven and abs(fx) * share >= power * _NEARLY
    if (
        limited and abs(fx) * share > power
    ):  # the rim speed follows from the motor's maximum force; the rest of the grip holds sideways
        left = math.sqrt(max(most * most - power * power, 0.0))
        wheel.slips = abs(fy) > left
        bent = math.copysign(power * max(abs(fy) / max(left, _TINY), 1.0), fx)
        wheel.rim = along + _slip(wheel, wheel.bend_x, bent, dt)
        fx, fy = math.copysign(power, fx), math.copysign(min(abs(fy), left), fy)
        bend_x, bend_y = -fx / wheel.bristle, -fy / wheel.bristle if wheel.slips else bend_y
    elif wheel.slips:
        fx, fy = fx * share, fy * share
        bend_x, bend_y = -fx / wheel.bristle, -fy / wheel.bristle
    if free:
        wheel.rim, bend_x = along, 0.0
    wheel.bend_x, wheel.bend_y = bend_x, bend_y
    return fx, fy, _sign(fx, limited)


@inner()
def _rollers(wheel, along, across, bears, grip, dt):
    """Return the force of a mecanum wheel along and across (N), and the direction of a motor at its limit.

    Its rollers turn freely, so it transmits force only along their axles.
    """
    ax, ay = wheel.axle_x, wheel.axle_y
    slip = ax * along + ay * across - ax * wheel.rim
    if not wheel.driven:
        slip = 0.0
    bend = wheel.bend_x + slip * dt
    force, most = -wheel.bristle * bend - wheel.brush * slip, wheel.mu * grip * bears
    if wheel.slips:
        most *= wheel.slip
    wheel.slips = abs(force) > most
    power = wheel.motor if force * wheel.wish * ax > 0.0 else wheel.brake
    limited = min(abs(force), most) >= power * _NEARLY
    if min(abs(force), most) > power:
        bent = _slip(wheel, wheel.bend_x, math.copysign(power, force), dt)
        wheel.rim, wheel.slips = along + (across * ay + bent) / ax, 0
    if abs(force) > min(most, power):
        force = math.copysign(min(most, power), force)
        bend = -force / wheel.bristle
    wheel.bend_x = bend
    return force * ax, force * ay, _sign(force * ax, limited)


@inner()
def _push(qpos, applied, me, x, y, z, fx, fy, fz):
    """Apply a world force to a body at a world point."""
    at, v = me.at, me.move
    xx, xy, xz, yx, yy, yz, zx, zy, zz = turn_of(qpos[at + 3], qpos[at + 4], qpos[at + 5], qpos[at + 6])
    rx, ry, rz = x - qpos[at], y - qpos[at + 1], z - qpos[at + 2]
    tx, ty, tz = ry * fz - rz * fy, rz * fx - rx * fz, rx * fy - ry * fx
    applied[v] += fx
    applied[v + 1] += fy
    applied[v + 2] += fz
    applied[v + 3] += xx * tx + yx * ty + zx * tz
    applied[v + 4] += xy * tx + yy * ty + zy * tz
    applied[v + 5] += xz * tx + yz * ty + zz * tz


@inner()
def _speed_at(qpos, qvel, me, x, y, z):
    """Return the velocity of a body's point at a world point (m/s)."""
    at, v = me.at, me.move
    xx, xy, xz, yx, yy, yz, zx, zy, zz = turn_of(qpos[at + 3], qpos[at + 4], qpos[at + 5], qpos[at + 6])
    a, b, c = qvel[v + 3], qvel[v + 4], qvel[v + 5]
    wx, wy, wz = xx * a + xy * b + xz * c, yx * a + yy * b + yz * c, zx * a + zy * b + zz * c
    rx, ry, rz = x - qpos[at], y - qpos[at + 1], z - qpos[at + 2]
    return qvel[v] + wy * rz - wz * ry, qvel[v + 1] + wz * rx - wx * rz, qvel[v + 2] + wx * ry - wy * rx


@inner()
def _carry(look, i, wheel, world, count, rough):
    """Apply one wheel of robot *i* to what *look* finds under it; return the direction of a motor at its limit."""
    qpos, qvel, bodies = world.at, world.speed, world.bodies
    me = bodies[i]
    at = me.at
    xx, xy, xz, yx, yy, yz, zx, zy, zz = turn_of(qpos[at + 3], qpos[at + 4], qpos[at + 5], qpos[at + 6])
    ox = qpos[at] + xx * wheel.x + xy * wheel.y + xz * wheel.z
    oy = qpos[at + 1] + yx * wheel.x + yy * wheel.y + yz * wheel.z
    oz = qpos[at + 2] + zx * wheel.x + zy * wheel.y + zz * wheel.z
    limit = wheel.radius + wheel.down
    reach, nx, ny, nz, grip, who = look(
        ox, oy, oz, -xz, -yz, -zz, limit, i, world.solids, world.fixed, world.cells, world.near, count, world.grips,
        rough,
    )  # fmt: skip
    wheel.bears = 0.0
    if reach >= limit:
        wheel.bend_x, wheel.bend_y, wheel.slips = 0.0, 0.0, 0
        return 0
    px, py, pz = ox - reach * xz, oy - reach * yz, oz - reach * zz
    vx, vy, vz = _speed_at(qpos, qvel, me, px, py, pz)
    if who >= 0:
        sx, sy, sz = _speed_at(qpos, qvel, bodies[who], px, py, pz)
        vx, vy, vz = vx - sx, vy - sy, vz - sz
    bears = _bearing(wheel, reach, -(vx * nx + vy * ny + vz * nz))
    wheel.bears = bears
    # the rolling direction, projected into the ground plane
    c, s = elementary.cos(wheel.steer), elementary.sin(wheel.steer)
    ax, ay, az = c * xx + s * xy, c * yx + s * yy, c * zx + s * zy
    up = ax * nx + ay * ny + az * nz
    ax, ay, az = ax - up * nx, ay - up * ny, az - up * nz
    size = math.sqrt(ax * ax + ay * ay + az * az)
    if bears == 0.0 or size < 1e-6:
        wheel.bend_x, wheel.bend_y, wheel.slips = 0.0, 0.0, 0
        return 0
    ax, ay, az = ax / size, ay / size, az / size
    bx, by, bz = ny * az - nz * ay, nz * ax - nx * az, nx * ay - ny * ax
    along, across = vx * ax + vy * ay + vz * az, vx * bx + vy * by + vz * bz
    if wheel.kind == ROLLERS:
        fx, fy, limited = _rollers(wheel, along, across, bears, grip, world.dt)
    elif wheel.kind == CASTOR and wheel.mu == 0.0:
        fx, fy, limited = 0.0, 0.0, 0
    else:
        fx, fy, limited = _tyre(wheel, along, across, bears, grip, world.dt)
    gx, gy, gz = bears * nx + fx * ax + fy * bx, bears * ny + fx * ay + fy * by, bears * nz + fx * az + fy * bz
    _push(qpos, world.applied, me, px, py, pz, gx, gy, gz)
    if who >= 0:
        _push(qpos, world.applied, bodies[who], px, py, pz, -gx, -gy, -gz)
    return limited


class WheelWorld(NamedTuple):
    """Everything that the wheels' kernel works on."""

    at: Array  # MuJoCo's positions, speeds and applied forces
    speed: Array
    applied: Array
    bodies: Records
    robots: Records
    wheels: Records
    solids: Solids
    offset: Array
    turns: Array
    cells: Cells
    grips: Array
    near: Ints
    control: Array  # of MuJoCo's servos: their commands and forces
    effort: Array
    fixed: int
    parts: int
    dt: float


def packed(
    data: Any, bodies: Records, vehicles: Vehicles, world: SolidWorld, grips: Array, near: Ints, step_s: float
) -> PackedWheels:  # fmt: skip
    """Return what `drive` works on, with the arrays' addresses; the caller must keep the arrays alive."""
    solids, cells = world.solids, world.cells
    arrays = (
        data.qpos, data.qvel, data.qfrc_applied, bodies, vehicles.robots, vehicles.wheels, solids.form, solids.tags,
        solids.edges, solids.reflectance, world.offset, grips, near, cells.start, cells.rows,
        data.ctrl, data.actuator_force, world.turns,
    )  # fmt: skip
    whole = [*pack(*arrays), world.fixed, cells.nx, cells.ny, cells.ground, world.parts]
    real = [step_s, cells.x0, cells.y0, cells.cell, cells.low, cells.high]
    return PackedWheels(np.array(whole, np.int64), np.array(real, np.float64))


@inner()
def _numbers(w, k):
    return array_at(w[2 * k], (w[2 * k + 1],), np.float64)


@inner()
def _whole(w, k):
    return array_at(w[2 * k], (w[2 * k + 1],), np.int64)


@inner()
def enter(w, f):
    """Return the unpacked arguments."""
    solids = Solids(
        array_at(w[12], (w[13], 16), np.float64), array_at(w[14], (w[15], 5), np.int64),
        array_at(w[16], (w[17], 3), np.float64), _numbers(w, 9),
    )  # fmt: skip
    cells = Cells(f[1], f[2], f[3], w[37], w[38], f[4], f[5], _whole(w, 13), _whole(w, 14), w[39])
    return WheelWorld(
        _numbers(w, 0), _numbers(w, 1), _numbers(w, 2), array_at(w[6], (w[7],), BODY),
        array_at(w[8], (w[9],), ROBOT), array_at(w[10], (w[11],), WHEEL), solids,
        array_at(w[20], (w[21], 3), np.float64), array_at(w[34], (w[35], 3, 3), np.float64), cells, _numbers(w, 11),
        _whole(w, 12), _numbers(w, 15), _numbers(w, 16), w[36], w[40], f[0],
    )  # fmt: skip


@inner()
def advance(look, targets, world, rough):
    """Write the forces of all wheels on their robots, and on what these stand on, for one sub-step."""
    world.applied[:] = 0.0
    place(world.at, world.bodies, world.solids, world.fixed, world.offset, world.turns, world.parts)
    for i in range(world.robots.shape[0]):
        me, at, wheels = world.robots[i], world.bodies[i].at, world.wheels
        count = neighbours(
            world.at[at], world.at[at + 1], world.at[at + 2], me.reach, OBSTACLE, i, world.fixed, world.solids.form,
            world.solids.tags, world.near,
        )  # fmt: skip
        held = False
        for k in range(me.first, me.last):
            wheel = wheels[k]
            wanted = wheel.per_v * targets[i, 0] + wheel.per_u * targets[i, 1] + wheel.per_w * targets[i, 2]
            rolls = wheel.kind == ROLLING
            wheel.strained = _roll(wheel, world) if rolls else _carry(look, i, wheel, world, count, rough)
            held = held or (wheel.strained != 0 and abs(wheel.rim) < 0.25 * abs(wanted))
        me.held = me.held + world.dt if held else 0.0
        me.stalled = me.held >= _STALLED_S
        # rims change after their tyres have acted, as MuJoCo changes speeds after forces: so paths agree
        _ask(me, wheels, targets[i, 0], targets[i, 1], targets[i, 2], world.dt)
        _count(me, wheels, world.dt)
        _command(me, world)


@kernel(effort=8)
def drive(targets, w, f):
    """Write the forces of all wheels for one sub-step, on flat ground and solids."""
    advance(under, targets, enter(w, f), 0)
