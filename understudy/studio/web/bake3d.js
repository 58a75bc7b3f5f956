// The floor as one picture, drawn once on a 2D canvas: tiles, dark corners where walls and things stand, soft shadows.
import { INK, PLAIN_GROUND, SUN } from "/web/palette.js";

const MOST_PIXELS = 2048; // of a side
const SUNS = 16, MANY_SUNS = 300, MOST_SHADOWS = 6000; // suns of a soft shadow; solids that get so many; solids that get shadows at all
const MOST_TILES = 120; // along a side
const [R, G, B] = INK.shade;

export function hull(points) { // convex, counter-clockwise
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list) => list.reduce((out, p) => {
    while (out.length > 1 && (out.at(-1)[0] - out.at(-2)[0]) * (p[1] - out.at(-2)[1]) - (out.at(-1)[1] - out.at(-2)[1]) * (p[0] - out.at(-2)[0]) <= 0) out.pop();
    out.push(p);
    return out;
  }, []);
  return [...half(sorted).slice(0, -1), ...half(sorted.reverse()).slice(0, -1)];
}

function path(pen, points) {
  pen.beginPath();
  points.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.closePath();
}

function chances(seed) { return () => (seed = (seed * 16807) % 2147483647) / 2147483647; }

function tiles(pen, [ax, ay, bx, by], step) { // no two quite alike
  const chance = chances(7), fleck = step / 60, count = ((bx - ax) * (by - ay)) / (step * step);
  for (let x = Math.floor(ax / step) * step; x < bx; x += step) for (let y = Math.floor(ay / step) * step; y < by; y += step) {
    pen.fillStyle = chance() < 0.5 ? "#ffffff" : "#8a7a60";
    pen.globalAlpha = 0.05 * chance();
    pen.fillRect(x, y, step, step);
  }
  pen.globalAlpha = 0.5;
  pen.fillStyle = INK.fleck;
  for (let i = 0; i < Math.min(60 * count, 40000); i++) pen.fillRect(ax + chance() * (bx - ax), ay + chance() * (by - ay), fleck, fleck);
  pen.globalAlpha = 1;
  pen.strokeStyle = INK.joint;
  pen.lineWidth = step * 0.022;
  pen.beginPath();
  for (let x = Math.ceil(ax / step) * step; x <= bx; x += step) { pen.moveTo(x, ay); pen.lineTo(x, by); }
  for (let y = Math.ceil(ay / step) * step; y <= by; y += step) { pen.moveTo(ax, y); pen.lineTo(bx, y); }
  pen.stroke();
}

function corners(pen, solids, reach) { // strokes of many widths add up to a soft dark rim
  const steps = solids.length > 2000 ? 3 : 10;
  pen.lineJoin = "round";
  for (const { foot, base, top, open } of solids) {
    if (base > reach) continue; // it hangs over the floor
    const far = reach * Math.min(1, 0.25 + top / (2 * reach)), strength = open ? 0.14 : 0.30;
    for (let k = 1; k <= steps; k++) {
      pen.strokeStyle = `rgba(${R},${G},${B},${(strength / steps) * (1.3 - k / steps)})`;
      pen.lineWidth = 2 * far * (k / steps) ** 1.5;
      path(pen, foot);
      pen.stroke();
    }
    pen.fillStyle = `rgba(${R},${G},${B},${open ? 0.28 : 0.4})`;
    path(pen, foot);
    pen.fill();
  }
}

function shadows(canvas, solids, scale, middle) { // many suns, close together: an edge is softer the higher what casts it
  if (solids.length > MOST_SHADOWS) return;
  const suns = solids.length > MANY_SUNS ? 6 : SUNS, layer = new OffscreenCanvas(canvas.width / 2, canvas.height / 2), sum = new OffscreenCanvas(layer.width, layer.height);
  const pen = layer.getContext("2d"), total = sum.getContext("2d");
  for (let k = 0; k < suns; k++) {
    const turn = k * 2.39996, wide = 0.13 * Math.sqrt((k + 0.5) / suns), dx = -SUN.x / SUN.z + wide * Math.cos(turn), dy = -SUN.y / SUN.z + wide * Math.sin(turn);
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, layer.width, layer.height);
    pen.setTransform(scale / 2, 0, 0, -scale / 2, layer.width / 2 - (middle[0] * scale) / 2, layer.height / 2 + (middle[1] * scale) / 2);
    pen.fillStyle = `rgb(${R},${G},${B})`;
    for (const { foot, outline = foot, base, top, open } of solids) {
      const low = open ? base + 0.85 * (top - base) : base; // light passes between the legs of a table
      path(pen, hull(outline.flatMap(([x, y]) => [[x + dx * low, y + dy * low], [x + dx * top, y + dy * top]])));
      pen.fill();
    }
    total.globalAlpha = 1 / suns;
    total.globalCompositeOperation = "lighter";
    total.drawImage(layer, 0, 0);
  }
  const out = canvas.getContext("2d");
  out.setTransform(1, 0, 0, 1, 0, 0);
  out.globalAlpha = 0.34;
  out.drawImage(sum, 0, 0, canvas.width, canvas.height);
  out.globalAlpha = 1;
}

// area: x, y of two corners; solids: {foot: [[x, y]...], base, top, open}; step: side of a tile; image: laid over the whole area
export function floorPicture(area, solids, { step, reach, colour, image }) {
  const [ax, ay, bx, by] = area, size = [bx - ax, by - ay], middle = [(ax + bx) / 2, (ay + by) / 2];
  const scale = Math.min(MOST_PIXELS / Math.max(...size), image ? Infinity : 128 / step);
  const canvas = new OffscreenCanvas(Math.max(8, Math.round(size[0] * scale)), Math.max(8, Math.round(size[1] * scale))), pen = canvas.getContext("2d");
  if (image) pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  pen.setTransform(scale, 0, 0, -scale, canvas.width / 2 - middle[0] * scale, canvas.height / 2 + middle[1] * scale);
  if (!image) {
    pen.fillStyle = colour === PLAIN_GROUND ? INK.floor : colour;
    pen.fillRect(ax, ay, ...size);
    if (colour === PLAIN_GROUND && Math.max(...size) / step < MOST_TILES) tiles(pen, area, step);
  }
  corners(pen, solids, reach);
  shadows(canvas, solids, scale, middle);
  return canvas;
}
