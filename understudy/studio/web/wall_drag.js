// Moving the selected wall by the pointer, as a whole or by a corner, and where it snaps to.
import { piecesOf } from "/web/walls.js";

const FINE = 20; // steps of a wall between two lines of the grid
const MOST_OWN = 64; // corners of the wall itself that are tried when all of it is moved

export class Snap { // to ends of other walls, then to lines of the grid that are shown, then to round steps
  constructor(scene, { step, grid }, except = "") {
    this.step = step;
    this.lines = grid;
    this.ends = scene.walls.filter((wall) => wall.name !== except).flatMap(endsOf);
  }

  point(at, reach) { return add(at, this.pull(at, reach) || [this.fine(at[0], reach), this.fine(at[1], reach)]); }

  shift(points, by, reach) { // of all points together
    const now = points.slice(0, MOST_OWN).map((point) => add(point, by));
    const pulls = now.map((point) => this.pull(point, reach)).filter(Boolean);
    if (pulls.length) return add(by, pulls.reduce(shorter));
    return by.map((way, axis) => {
      const near = now.map((point) => this.line(point[axis], reach)).filter((gap) => gap !== null);
      return tidy(near.length ? way + near.reduce((a, b) => (Math.abs(b) < Math.abs(a) ? b : a)) : rounded(way, this.step / FINE));
    });
  }

  pull(at, reach) { // to the nearest end of another wall, or null
    let best = null;
    for (const [x, y] of this.ends) {
      const gap = [x - at[0], y - at[1]], far = Math.hypot(...gap);
      if (far <= (best?.far ?? reach)) best = { gap, far };
    }
    return best?.gap || null;
  }

  line(x, reach) { // to the nearest line of the grid, or null
    const gap = rounded(x, this.step) - x;
    return this.lines && Math.abs(gap) <= reach ? gap : null;
  }

  fine(x, reach) { return this.line(x, reach) ?? rounded(x, this.step / FINE) - x; }
}

export class WallDrag { // from where it was grabbed; corner -1: all of it
  constructor(wall, corner, from, snap) {
    Object.assign(this, { wall, corner, from, snap, by: [0, 0] });
    this.name = wall.name;
    this.points = wall.points.length ? wall.points : endsOf(wall);
  }

  move(point, reach, { straight, free }) {
    let by = [point[0] - this.from[0], point[1] - this.from[1]];
    if (straight) by = this.straight(by);
    if (free) this.by = by.map((way) => tidy(Math.round(way * 1000) / 1000));
    else this.by = this.corner < 0 ? this.snap.shift(this.points, by, reach) : sub(this.snap.point(add(this.points[this.corner], by), reach), this.points[this.corner]);
    if (straight) this.by = this.straight(this.by); // an end of another wall may lie beside the line
  }

  straight(by) { // along x or y: from where it was, or a corner from its neighbour
    const from = this.corner < 0 ? [0, 0] : sub(this.neighbour, this.points[this.corner]), way = sub(by, from);
    return Math.abs(way[0]) > Math.abs(way[1]) ? [by[0], from[1]] : [from[0], by[1]];
  }

  get neighbour() { return this.points[this.corner > 0 ? this.corner - 1 : this.wall.closed ? this.points.length - 1 : 1]; }

  get ruler() { return this.corner < 0 ? [this.from, add(this.from, this.by)] : [this.neighbour, add(this.points[this.corner], this.by)]; }

  get corners() { return this.points.map((point, i) => (this.corner < 0 || i === this.corner ? add(point, this.by) : point)); }

  get pieces() { // as they will be
    if (this.corner < 0) return piecesOf(this.wall).map(([ax, ay, bx, by]) => [ax + this.by[0], ay + this.by[1], bx + this.by[0], by + this.by[1]]);
    const all = this.corners, ends = this.wall.closed ? [...all, all[0]] : all;
    return ends.slice(1).map((point, i) => [...ends[i], ...point]);
  }

  get message() { return { do: "reshape", name: this.name, by: this.by, ...(this.corner < 0 ? {} : { corner: this.corner }) }; }
}

function endsOf(wall) { return wall.points.length ? wall.points : piecesOf(wall).flatMap(([ax, ay, bx, by]) => [[ax, ay], [bx, by]]); }
function rounded(x, step) { return Math.round(x / step) * step; }
function tidy(x) { return Math.round(x * 1e6) / 1e6; }
function add(a, b) { return [tidy(a[0] + b[0]), tidy(a[1] + b[1])]; }
function sub(a, b) { return [tidy(a[0] - b[0]), tidy(a[1] - b[1])]; }
function shorter(a, b) { return Math.hypot(...b) < Math.hypot(...a) ? b : a; }
