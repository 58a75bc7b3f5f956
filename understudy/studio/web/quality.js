// How fine to draw: by the renderer's name first, then by how long the first frames take.
const SOFTWARE = /swiftshader|llvmpipe|software|softpipe|basic render/i;
const FRAMES = 20, SLOW_MS = 45; // frames that are measured together; with a longer mean the picture is made simpler
const FINEST = 2; // device pixels per pixel

function rendererName() {
  const gl = document.createElement("canvas").getContext("webgl2"), more = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = gl ? String(gl.getParameter(more ? more.UNMASKED_RENDERER_WEBGL : gl.RENDERER)) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return name;
}

export class Quality {
  constructor(wish = "auto") { // auto, fast, fine
    this.name = rendererName();
    this.software = SOFTWARE.test(this.name);
    const fine = wish === "fine" || (wish === "auto" && !this.software);
    this.antialias = fine;
    this.ratio = fine ? Math.min(devicePixelRatio || 1, FINEST) : 1;
    this.planar = wish !== "fast";
    this.fixed = wish !== "auto";
    this.times = [];
  }

  note(ms) { // the time between two frames; returns whether the picture must be resized
    if (this.fixed || ms > 500) return false; // a hidden page or a pause
    this.times.push(ms);
    if (this.times.length < FRAMES) return false;
    const mean = this.times.reduce((sum, time) => sum + time, 0) / FRAMES, before = this.ratio;
    this.times = [];
    if (mean < SLOW_MS) return false;
    if (this.ratio > 1) this.ratio = Math.max(1, this.ratio - 0.5);
    else this.planar = false;
    return this.ratio !== before;
  }
}
