// The mouse on a pane: pick, drag, rotate, measure, place; on a map also pan and zoom.
const SEND_MS = 33;
const CLICK_PX = 4;

export class Hands {
  constructor(pane, stage) {
    this.pane = pane;
    this.stage = stage;
    this.held = null;
    const element = pane.element;
    this.end = new AbortController(); // a pane may be made anew on the same element: its old hands must let go
    const first = { capture: true, signal: this.end.signal }, { signal } = first;
    element.addEventListener("pointerdown", (event) => this.down(event), first);
    element.addEventListener("pointermove", (event) => this.move(event), first);
    element.addEventListener("pointerup", (event) => this.up(event), first);
    element.addEventListener("pointercancel", (event) => this.up(event), first);
    element.addEventListener("contextmenu", (event) => event.preventDefault(), { signal });
    element.addEventListener("wheel", (event) => this.wheel(event), { passive: false, signal });
  }

  dispose() { this.end.abort(); }

  at(event) {
    const box = this.pane.element.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  }

  down(event) {
    if (event.target.closest("button, select, input, label")) return;
    this.pane.element.focus();
    this.stage.active = this.pane;
    const [u, v] = this.at(event), point = this.pane.ground(u, v);
    this.pressed = [event.clientX, event.clientY];
    const tool = this.stage.tool;
    if (tool === "measure" && point) {
      this.stage.ruler = { from: point, to: point };
      this.held = { measure: true };
    } else if (tool && tool !== "measure" && point) {
      this.stage.place(tool, point);
      this.held = { placed: true };
    } else {
      this.grab(event, u, v, point);
    }
    if (this.held) {
      event.stopImmediatePropagation();
      this.pane.element.setPointerCapture(event.pointerId);
      this.pane.hold(true);
    }
  }

  grab(event, u, v, point) {
    const name = event.button === 1 ? null : this.pane.pick(u, v), { world } = this.stage;
    if (name && point) {
      const place = world.place(name), turning = event.button === 2 || event.shiftKey;
      this.held = { name, turning, place: [...place], offset: [place[0] - point[0], place[1] - point[1]], angle: Math.atan2(point[1] - place[1], point[0] - place[0]), fixed: world.fixed.has(name), begun: false, sent: 0 };
    } else if (this.pane.kind === "2d") {
      this.held = { pan: [event.clientX, event.clientY] };
    } else if (this.pane.eye.mode === "fly") {
      this.held = { look: [event.clientX, event.clientY] };
    }
  }

  move(event) {
    const held = this.held;
    if (!held) return;
    event.stopImmediatePropagation();
    const [u, v] = this.at(event), point = this.pane.ground(u, v);
    if (held.measure) { if (point) this.stage.ruler.to = point; }
    else if (held.pan) { this.pane.map.pan(event.clientX - held.pan[0], event.clientY - held.pan[1]); held.pan = [event.clientX, event.clientY]; }
    else if (held.look) { this.pane.eye.turn(event.clientX - held.look[0], event.clientY - held.look[1]); held.look = [event.clientX, event.clientY]; }
    else if (held.name && point) this.drag(held, point, event);
  }

  drag(held, point, event) {
    if (!held.begun) {
      if (Math.hypot(event.clientX - this.pressed[0], event.clientY - this.pressed[1]) < CLICK_PX) return;
      held.begun = true;
      this.stage.send({ do: "grab", name: held.name });
    }
    if (held.turning) held.heading = held.place[2] + Math.atan2(point[1] - held.place[1], point[0] - held.place[0]) - held.angle;
    else held.to = [point[0] + held.offset[0], point[1] + held.offset[1]];
    this.stage.preview = { name: held.name, place: this.wanted(held) };
    const now = performance.now();
    if (!held.fixed && now - held.sent > SEND_MS) { held.sent = now; this.tell(held); }
  }

  wanted(held) {
    const [x, y] = held.to || held.place;
    return [x, y, held.heading ?? held.place[2]];
  }

  tell(held) {
    const [x, y, heading] = this.wanted(held);
    this.stage.send({ do: "drag", name: held.name, x, y, heading });
  }

  up(event) {
    const held = this.held;
    this.held = null;
    this.pane.hold(false);
    if (!held) return;
    event.stopImmediatePropagation();
    if (held.begun) {
      this.tell(held);
      this.stage.send({ do: "drop", name: held.name });
      setTimeout(() => { this.stage.preview = null; }, 300);
      this.stage.select(held.name);
    } else if (held.name) this.stage.select(held.name);
  }

  wheel(event) {
    if (this.pane.kind !== "2d") return;
    event.preventDefault();
    const [u, v] = this.at(event);
    this.pane.map.zoom(Math.exp(-event.deltaY * 0.0015), u, v);
  }
}
