// The paths that robots have driven, as the simulation has recorded them: the same in every browser.
import { bytes } from "/web/frames.js";

const NEW_STROKE = 0x8000; // flag of an owner: not joined to the point before

export class Trails {
  constructor() { this.version = 0; this.generation = -1; this.paths = new Map(); }

  get count() { return [...this.paths.values()].reduce((sum, strokes) => sum + strokes.reduce((n, points) => n + points.length / 3, 0), 0); }

  take({ generation, names, owners, points, dropped }) { // new points; those of another generation replace all
    if (generation !== this.generation) this.paths.clear();
    this.generation = generation;
    const who = new Uint16Array(bytes(owners)), where = new Float32Array(bytes(points));
    who.forEach((owner, i) => {
      const name = names[owner & ~NEW_STROKE], strokes = this.paths.get(name) || [];
      if (!strokes.length || owner & NEW_STROKE) strokes.push([]);
      strokes.at(-1).push(where[i * 3], where[i * 3 + 1], where[i * 3 + 2]);
      this.paths.set(name, strokes);
    });
    for (const [name, count] of Object.entries(dropped)) this.drop(name, count);
    this.version += 1;
  }

  drop(name, count) { // the oldest points: the recorder keeps a limited number
    const strokes = this.paths.get(name) || [];
    while (count > 0 && strokes.length) {
      const cut = Math.min(count, strokes[0].length / 3);
      strokes[0].splice(0, cut * 3);
      count -= cut;
      if (!strokes[0].length) strokes.shift();
    }
  }

  strokes(name, length = 0) { // parts of a trail, at most the last metres of it; 0: all
    const strokes = this.paths.get(name) || [], total = strokes.reduce((sum, points) => sum + points.length / 3, 0), found = [];
    let left = length > 0 ? length : Infinity, older = total;
    for (let k = strokes.length - 1; k >= 0 && left > 0; k--) {
      const points = strokes[k];
      let first = points.length / 3 - 1;
      while (first > 0 && left > 0) {
        first -= 1;
        left -= Math.hypot(points[first * 3 + 3] - points[first * 3], points[first * 3 + 4] - points[first * 3 + 1]);
      }
      older -= points.length / 3;
      found.unshift({ points: first > 0 ? points.slice(first * 3) : points, from: older + first, total });
    }
    return found;
  }
}
