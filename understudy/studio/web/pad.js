// A round touch pad for driving without a keyboard: drag in the direction to drive, release to stop.
const REPEAT_MS = 100; // the simulation stops a robot without further messages
const SLACK = 0.3; // dead zone, as a share of the radius

export class Pad {
  constructor(element, onDrive) {
    this.element = element;
    this.knob = element.querySelector(".us-knob");
    this.onDrive = onDrive;
    this.pulled = null; // right and down, as shares of the radius
    this.end = new AbortController();
    const { signal } = this.end;
    element.addEventListener("pointerdown", (event) => { element.setPointerCapture(event.pointerId); this.pull(event); }, { signal });
    element.addEventListener("pointermove", (event) => this.pulled && this.pull(event), { signal });
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) element.addEventListener(name, () => this.release(), { signal });
    element.addEventListener("contextmenu", (event) => event.preventDefault(), { signal });
    window.addEventListener("blur", () => this.release(), { signal });
    document.addEventListener("visibilitychange", () => document.hidden && this.release(), { signal });
    this.timer = setInterval(() => this.pulled && this.send(), REPEAT_MS);
  }

  pull(event) {
    const box = this.element.getBoundingClientRect(), radius = box.width / 2;
    const x = (event.clientX - box.left) / radius - 1, y = (event.clientY - box.top) / radius - 1, far = Math.max(Math.hypot(x, y), 1);
    this.pulled = [x / far, y / far];
    this.show();
    this.send();
  }

  release() {
    if (!this.pulled) return;
    this.pulled = null;
    this.show();
    this.send();
  }

  show() {
    const [x, y] = this.pulled || [0, 0];
    this.knob.style.transform = `translate(${x * 60}%, ${y * 60}%)`;
  }

  send() {
    const [x, y] = this.pulled || [0, 0], keys = [];
    if (Math.abs(y) > SLACK) keys.push(y < 0 ? "forward" : "back");
    if (Math.abs(x) > SLACK) keys.push(x < 0 ? "left" : "right");
    this.onDrive(keys, Math.min(Math.hypot(x, y), 1));
  }

  close() {
    this.end.abort();
    clearInterval(this.timer);
  }
}
