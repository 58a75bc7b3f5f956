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

export function nearestWall(walls, point, reach) { // with its distance from a point of the floor, or null
  let best = null;
  for (const wall of point ? walls : []) for (const piece of piecesOf(wall)) {
    const distance = distanceTo(piece, point) - wall.thickness / 2;
    if (distance < (best?.distance ?? reach)) best = { name: wall.name, distance, z: 0 };
  }
  return best;
}

function distanceTo([ax, ay, bx, by], [x, y]) {
  const dx = bx - ax, dy = by - ay, length = dx * dx + dy * dy;
  const share = length ? Math.min(Math.max(((x - ax) * dx + (y - ay) * dy) / length, 0), 1) : 0;
  return Math.hypot(x - ax - share * dx, y - ay - share * dy);
}

export function hitWall(walls, from, way, heightOf) { // the first wall that a ray meets, with its distance and height there, or null
  let best = null;
  for (const wall of walls) piecesOf(wall).forEach(([ax, ay, bx, by], i) => {
    const dx = bx - ax, dy = by - ay, across = way.x * dy - way.y * dx;
    if (Math.abs(across) < 1e-12) return;
    const t = ((ax - from.x) * dy - (ay - from.y) * dx) / across, s = ((ax - from.x) * way.y - (ay - from.y) * way.x) / across, z = from.z + t * way.z;
    if (t > 0 && s >= 0 && s <= 1 && z >= 0 && t < (best?.distance ?? Infinity) && z <= heightOf(wall, i)) best = { name: wall.name, distance: t, z };
  });
  return best;
}

export function drawnHeights(room, ceiling) { // of pieces of walls as a 3D view shows them: those in the way are cut off low
  const heights = new Map();
  for (const piece of room?.pieces || []) {
    if (!piece.wall) continue;
    if (!heights.has(piece.name)) heights.set(piece.name, []);
    heights.get(piece.name).push(piece.cut > 0.5 ? 0.12 : Math.min(piece.high, ceiling));
  }
  return (wall, i) => heights.get(wall.name)?.[i] ?? wall.height;
}
