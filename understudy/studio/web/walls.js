// Which wall is at a point of a map, or in the way of a ray: walls are many pieces of one drawing, not things of their own.
import { floats } from "/web/frames.js";

const decoded = new WeakMap();

export function piecesOf(wall) { // each: x and y of both ends
  if (!decoded.has(wall)) {
    const flat = typeof wall.pieces === "string" ? floats(wall.pieces) : wall.pieces;
    decoded.set(wall, Array.from({ length: flat.length / 4 }, (_, i) => flat.slice(4 * i, 4 * i + 4)));
  }
  return decoded.get(wall);
}

export function nearestWall(walls, point, reach) {
  let best = null;
  for (const wall of point ? walls : []) for (const piece of piecesOf(wall)) {
    const distance = distanceTo(piece, point) - wall.thickness / 2;
    if (distance < (best?.distance ?? reach)) best = { name: wall.name, distance };
  }
  return best?.name || null;
}

function distanceTo([ax, ay, bx, by], [x, y]) {
  const dx = bx - ax, dy = by - ay, length = dx * dx + dy * dy;
  const share = length ? Math.min(Math.max(((x - ax) * dx + (y - ay) * dy) / length, 0), 1) : 0;
  return Math.hypot(x - ax - share * dx, y - ay - share * dy);
}

export function hitWall(walls, from, way) { // the name of the first wall that a ray meets
  let best = null;
  for (const wall of walls) for (const [ax, ay, bx, by] of piecesOf(wall)) {
    const dx = bx - ax, dy = by - ay, across = way.x * dy - way.y * dx;
    if (Math.abs(across) < 1e-12) continue;
    const t = ((ax - from.x) * dy - (ay - from.y) * dx) / across, s = ((ax - from.x) * way.y - (ay - from.y) * way.x) / across, z = from.z + t * way.z;
    if (t > 0 && s >= 0 && s <= 1 && z >= 0 && z <= wall.height && t < (best?.t ?? Infinity)) best = { t, name: wall.name };
  }
  return best?.name || null;
}
