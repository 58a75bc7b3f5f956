// Mouse and touch input on a pane: pick, drag, rotate, measure, place; on a map also pan and zoom.
//
// One finger acts as the left button. A second finger rotates the thing that the first one holds. Two fingers on the
// floor zoom and pan: handled here on a map and in fly mode, otherwise by three.js's own controls.
const SEND_MS = 33;
const LINGER_MS = 3000; // for a simulation that is slow
const CLICK_PX = 4, TOUCH_PX = 10; // a shorter movement is a click
const HANDLE_PX = 10, TOUCH_HANDLE_PX = 22; // as near as this is on the corner of a wall
const AHEAD_M = 4; // distance flown when two fingers spread by a whole pane

export class Hands {
  constructor(pane, stage) {
    this.pane = pane;
    this.stage = stage;
    this.held = null;
    this.fingers = new Map(); // pointer id -> its latest event
    const element = pane.element;
    this.end = new AbortController(); // a pane may be rebuilt on the same element: the old listeners must be removed
    const first = { capture: true, signal: this.end.signal }, { signal } = first;
    element.addEventListener("pointerdown", (event) => this.down(event), first);
    element.addEventListener("pointermove", (event) => this.move(event), first);
    element.addEventListener("pointerup", (event) => this.up(event), first);
    element.addEventListener("pointercancel", (event) => this.up(event), first);
    element.addEventListener("contextmenu", (event) => event.preventDefault(), { signal });
    element.addEventListener("wheel", (event) => this.wheel(event), { passive: false, signal });
  }

  dispose() { this.end.abort(); }

  at({ clientX, clientY }) {
    const box = this.pane.element.getBoundingClientRect();
    return [(clientX - box.left) / box.width, (clientY - box.top) / box.height];
  }

  down(event) {
    if (event.target.closest("button, select, input, label")) return;
    this.pane.element.focus();
    this.stage.active = this.pane;
    if (this.pane.eye) this.pane.eye.framing = null; // from now on the user decides where to look
    if (event.pointerType === "touch") this.fingers.set(event.pointerId, event);
    if (this.fingers.size > 1) this.second(event);
    else this.first(event);
    if (this.held) {
      event.stopImmediatePropagation();
      this.pane.element.setPointerCapture(event.pointerId);
      this.pane.hold(true);
    }
  }

  first(event) {
    const [u, v] = this.at(event), point = this.pane.ground(u, v);
    this.pressed = [event.clientX, event.clientY];
    const tool = this.stage.tool;
    if (tool === "measure" && point) {
      this.stage.ruler = { from: point, to: point };
      this.held = { measure: true };
    } else if (tool && tool !== "measure" && point) {
      this.stage.place(tool, tool === "wall" ? this.stage.snapped(this.pane, u, v, event) : point);
      this.held = { placed: true };
    } else {
      this.grab(event, u, v, point);
    }
    if (this.held) this.held.pointer = event.pointerId;
  }

  second(event) { // a further finger while one is down
    const held = this.held;
    if (held?.name) held.twist = { pointer: event.pointerId, from: this.span(held.pointer, event.pointerId).way, heading: this.wanted(held)[2] };
    else if (held?.pan || held?.look) this.held = { pinch: this.span(...this.fingers.keys()) };
  }

  grab(event, u, v, point) {
    const grip = event.button === 0 ? this.pane.wallGrip(u, v, event.pointerType === "touch" ? TOUCH_HANDLE_PX : HANDLE_PX) : null, wall = grip && this.pane.dragWall(grip, u, v);
    if (wall) return void (this.held = { wall, z: grip.z, begun: false });
    const name = event.button === 1 ? null : this.pane.pick(u, v), { world } = this.stage;
    if (name && point) {
      const place = world.place(name), turning = event.button === 2 || event.shiftKey;
      this.held = { name, turning, place: [...place], offset: [place[0] - point[0], place[1] - point[1]], angle: Math.atan2(point[1] - place[1], point[0] - place[0]), fixed: world.fixed.has(name), begun: false, sent: 0 };
    } else if (this.pane.kind === "2d" && event.button === 1) {
      event.preventDefault(); // no scrolling by the browser
      this.held = { zoom: event.clientY, at: [u, v] };
    } else if (this.pane.kind === "2d") {
      this.held = { pan: [event.clientX, event.clientY] };
    } else if (this.pane.eye.mode === "fly") {
      this.held = { look: [event.clientX, event.clientY] };
    }
  }

  span(one, other) { // of two fingers: their middle and distance on the page, and the direction from one to the other on the floor
    const a = this.fingers.get(one), b = this.fingers.get(other), p = a && this.pane.ground(...this.at(a)), q = b && this.pane.ground(...this.at(b));
    if (!a || !b) return null;
    const middle = { clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 };
    return { middle, wide: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) || 1, way: p && q ? Math.atan2(q[1] - p[1], q[0] - p[0]) : 0 };
  }

  move(event) {
    if (this.fingers.has(event.pointerId)) this.fingers.set(event.pointerId, event);
    const held = this.held;
    const [u, v] = this.at(event);
    if (this.stage.corner) this.stage.tip = this.stage.snapped(this.pane, u, v, event) || this.stage.tip; // of a wall that is drawn
    if (!held) return this.hover(u, v);
    event.stopImmediatePropagation();
    const point = this.pane.level(u, v, held.z || 0);
    if (held.wall) { if (point) this.dragWall(held, point, u, v, event); }
    else if (held.pinch) this.pinch(held);
    else if (held.measure) { if (point) this.stage.ruler.to = point; }
    else if (held.zoom) { this.pane.map.zoom(Math.exp((held.zoom - event.clientY) * 0.008), ...held.at); held.zoom = event.clientY; }
    else if (held.pan) { this.pane.map.pan(event.clientX - held.pan[0], event.clientY - held.pan[1]); held.pan = [event.clientX, event.clientY]; }
    else if (held.look) { this.pane.eye.turn(event.clientX - held.look[0], event.clientY - held.look[1]); held.look = [event.clientX, event.clientY]; }
    else if (held.name && point) this.drag(held, point, event);
  }

  hover(u, v) { // the pointer says what a press would move
    const grip = !this.stage.tool && this.pane.wall && this.pane.wallGrip(u, v, HANDLE_PX);
    this.pane.element.style.cursor = !grip ? "" : grip.corner < 0 ? "move" : "crosshair";
  }

  begins(event) { // the pointer has moved by more than a click
    const still = event.pointerType === "touch" ? TOUCH_PX : CLICK_PX;
    return Math.hypot(event.clientX - this.pressed[0], event.clientY - this.pressed[1]) >= still;
  }

  dragWall(held, point, u, v, event) {
    const { wall } = held;
    if (!held.begun) {
      if (!this.begins(event)) return;
      held.begun = true;
      this.stage.send({ do: "grab", name: wall.name });
    }
    wall.move(point, this.pane.reachOf(u, v, held.z), { straight: event.shiftKey, free: event.altKey });
    this.stage.moved = Object.assign(wall, { live: true });
  }

  cancel() { // Escape: what is dragged goes back; returns whether something was
    const { held } = this, name = held?.wall?.name || held?.name;
    if (!held?.begun) return false;
    this.stage.send({ do: "drop", name, cancel: true });
    this.stage.preview = this.stage.moved = this.held = this.pressed = null;
    return true;
  }

  pinch(held) {
    const now = this.span(...this.fingers.keys()), { middle, wide } = held.pinch;
    if (!now) return;
    const dx = now.middle.clientX - middle.clientX, dy = now.middle.clientY - middle.clientY;
    if (this.pane.map) {
      this.pane.map.pan(dx, dy);
      this.pane.map.zoom(now.wide / wide, ...this.at(now.middle));
    } else {
      this.pane.eye.turn(dx, dy);
      this.pane.eye.ahead((AHEAD_M * (now.wide - wide)) / this.pane.rect.height);
    }
    held.pinch = now;
  }

  drag(held, point, event) {
    const turns = held.twist && this.span(held.pointer, held.twist.pointer);
    if (!held.begun) {
      if (!turns && !this.begins(event)) return;
      held.begun = true;
      this.stage.send({ do: "grab", name: held.name });
    }
    if (turns) held.heading = held.twist.heading + turns.way - held.twist.from;
    if (held.turning) held.heading = held.place[2] + Math.atan2(point[1] - held.place[1], point[0] - held.place[0]) - held.angle;
    else if (event.pointerId === held.pointer) held.to = [point[0] + held.offset[0], point[1] + held.offset[1]];
    this.stage.preview = { name: held.name, place: this.wanted(held) };
    const now = performance.now();
    if (!held.fixed && now - held.sent > SEND_MS) { held.sent = now; this.send(held); }
  }

  wanted(held) {
    const [x, y] = held.to || held.place;
    return [x, y, held.heading ?? held.place[2]];
  }

  send(held) {
    const [x, y, heading] = this.wanted(held);
    this.stage.send({ do: "drag", name: held.name, x, y, heading });
  }

  up(event) {
    const held = this.held;
    this.fingers.delete(event.pointerId);
    if (held && this.fingers.size) return this.lift(event, held);
    this.held = null;
    this.pane.hold(false);
    if (!held?.name && !held?.wall && event.button === 0 && this.pressed && Math.hypot(event.clientX - this.pressed[0], event.clientY - this.pressed[1]) < CLICK_PX) this.pickWall(event);
    this.pressed = null;
    if (!held) return;
    event.stopImmediatePropagation();
    if (held.wall) this.dropWall(held);
    else if (held.begun) {
      this.send(held);
      this.stage.send({ do: "drop", name: held.name });
      setTimeout(() => { this.stage.preview = null; }, 300);
      this.stage.select(held.name);
    } else if (held.name) this.stage.select(held.name);
  }

  dropWall({ wall, begun }) { // it is shown where it goes until the simulation has it there
    wall.live = false;
    if (!begun) return;
    if (Math.hypot(...wall.by) > 0) this.stage.send(wall.message);
    this.stage.send({ do: "drop", name: wall.name });
    setTimeout(() => { if (this.stage.moved === wall) this.stage.moved = null; }, LINGER_MS);
  }

  pickWall(event) { // a click selects a wall; only then it can be dragged, or every look around would move one
    const found = this.stage.tool ? null : this.pane.wallAt(...this.at(event));
    if (found) this.stage.select(found.name);
  }

  lift(event, held) { // one of several fingers is lifted: the others continue
    event.stopImmediatePropagation();
    const [[pointer, left]] = this.fingers;
    if (held.pinch && this.fingers.size === 1) this.held = { pointer, [this.pane.map ? "pan" : "look"]: [left.clientX, left.clientY] };
    else if (held.pinch) held.pinch = this.span(...this.fingers.keys());
    else if (held.name) this.held = { ...held, twist: null, pointer: event.pointerId === held.pointer ? -1 : held.pointer }; // -1: no pointer moves it
  }

  wheel(event) {
    if (this.pane.eye) this.pane.eye.framing = null;
    if (this.pane.kind !== "2d") return;
    event.preventDefault();
    const [u, v] = this.at(event);
    this.pane.map.zoom(Math.exp(-event.deltaY * 0.0015), u, v);
  }
}
