// How fine to draw: by the renderer's name first, then by how long frames take.
const SOFTWARE = /swiftshader|llvmpipe|software|softpipe|basic render/i;
const LEVELS = [1, 1.5, 2]; // most device pixels per pixel
const WARM_UP = 10; // first frames are slow: shaders are compiled, pictures are painted
const FRAMES = 20, SLOW_MS = 45, FAST_MS = 25; // frames that are measured together; with a longer mean the picture is made simpler
const CALM = 6, RETRIES = 2; // so many fast means in a row, and it is made finer again; not for ever, if that is too slow every time

function rendererName() {
  const gl = document.createElement("canvas").getContext("webgl2"), more = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = gl ? String(gl.getParameter(more ? more.UNMASKED_RENDERER_WEBGL : gl.RENDERER)) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return name;
}

export class Quality {
  constructor(wish = "auto", name = rendererName()) { // auto, fast, fine
    this.name = name;
    this.software = SOFTWARE.test(this.name);
    const fine = wish === "fine" || (wish === "auto" && !this.software);
    this.antialias = fine;
    this.level = fine ? LEVELS.length - 1 : 0;
    this.finest = this.level;
    this.planar = wish !== "fast";
    this.fixed = wish !== "auto";
    this.times = [];
    this.skip = WARM_UP;
    this.calm = 0;
    this.retries = RETRIES;
  }

  get ratio() { return Math.min(devicePixelRatio || 1, LEVELS[this.level]); } // also after the window has moved to another screen

  note(ms) { // the time between two frames
    if (this.fixed || ms > 500) return; // a hidden page or a pause
    if (this.skip > 0) return void (this.skip -= 1);
    this.times.push(ms);
    if (this.times.length < FRAMES) return;
    const mean = this.times.reduce((sum, time) => sum + time, 0) / FRAMES;
    this.times = [];
    this.calm = mean < FAST_MS ? this.calm + 1 : 0;
    if (mean >= SLOW_MS) this.coarser();
    else if (this.calm >= CALM && this.retries) this.finer();
  }

  coarser() { // first fewer pixels, down to those that the screen shows anyway, then simpler shadows
    const before = this.ratio;
    while (this.level && this.ratio === before) this.level -= 1;
    if (this.ratio === before) this.planar = false;
    this.skip = 2; // the frame in which everything is allocated anew
  }

  finer() {
    if (this.planar && this.level === this.finest) return;
    if (this.planar) this.level += 1;
    this.planar = true;
    this.calm = 0;
    this.retries -= 1;
    this.skip = 2;
  }
}
