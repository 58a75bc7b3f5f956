// The views as a NiceGUI component: panes on one canvas, fed by the stream, controlled by mouse and keys.
import { REPLAY } from "/web/frames.js";
import { Keys, PRESETS } from "/web/keys.js";
import { Pad } from "/web/pad.js";
import { Pane } from "/web/pane.js";
import { Quality } from "/web/quality.js";
import { Stream } from "/web/stream.js";
import { View3D, gridStep } from "/web/view3d.js";
import { Snap } from "/web/wall_drag.js";
import { World } from "/web/world.js";

const LAYOUTS = {
  1: [["3d", "orbit"]],
  2: [["3d", "orbit"], ["2d"]],
  4: [["3d", "orbit"], ["2d"], ["3d", "follow"], ["3d", "ride"]],
};
const KEPT = ["beams", "hits", "rays", "trails", "grid", "names", "odometry", "contacts", "shapes", "panes", "gridStep", "trailLength", "trailWidth", "large", "quality"];

const TURN_STEP = Math.PI / 36;
// LURobotSim's camera keys: its X, Y and Z axes are our x (ahead), z (up) and -y
const CAMERA_STEPS = { camera_x_up: ["shift", 1, 0, 0], camera_x_down: ["shift", -1, 0, 0], camera_z_up: ["shift", 0, 1, 0], camera_z_down: ["shift", 0, -1, 0], camera_down: ["shift", 0, 0, -1], camera_up: ["shift", 0, 0, 1], camera_clockwise: ["rotate", -TURN_STEP], camera_anticlockwise: ["rotate", TURN_STEP] };

export default {
  template: `
    <div class="us-stage" ref="root">
      <canvas class="us-gl" ref="gl"></canvas>
      <div class="us-panes" :class="'us-panes-' + panes">
        <div v-for="i in panes" :key="panes + '-' + i" class="us-pane" tabindex="0" role="application"
             :aria-label="'view ' + i + ': drive with keys, press ? for help'" :data-pane="i - 1" ref="pane">
          <canvas class="us-map"></canvas><canvas class="us-over"></canvas>
          <div class="us-bar" @pointerdown.stop>
            <button v-for="b in buttons(i - 1)" :key="b.word" type="button" :title="b.title" :aria-label="b.title"
                    :class="{on: b.on}" @click="press(i - 1, b.word)">{{ b.text }}</button>
          </div>
        </div>
      </div>
      <div class="us-pad" ref="pad" role="application" tabindex="0" aria-label="drive the selected robot: drag and hold"
           title="drive the selected robot: drag and hold"><span v-for="i in 4" :key="i" aria-hidden="true">▲</span><div class="us-knob"></div></div>
      <div v-if="hint" class="us-hint" aria-live="polite" v-html="hint"></div>
      <div v-if="notice" class="us-notice" role="alert">{{ notice }}</div>
      <div v-if="again" class="us-again" role="status">Again, as just seen<button type="button" title="show what happens now" @click="send({ do: 'again', seconds: 0 })">Back to now</button></div>
      <div v-if="help" class="us-help" role="dialog" aria-label="keys" @click.self="help = false">
        <div>
          <h2>Keys</h2>
          <p>Keys work while a view has the focus: click into it first.</p>
          <label>Preset <select :value="preset" @change="choose($event.target.value)">
            <option v-for="(p, key) in presets" :key="key" :value="key">{{ p.title }}</option></select></label>
          <table><tbody><tr v-for="row in presets[preset].help" :key="row[0]"><th scope="row">{{ row[0] }}</th><td>{{ row[1] }}</td></tr></tbody></table>
          <p>Beams: lasers are blue, sonars yellow, infrared sensors red; a dashed red ray is an echo of a laser that was lost.</p>
          <p>Mouse: drag a thing to move it, with Shift or the right button to rotate it; drag a selected wall, or one of its corners; Escape puts it back; drag the floor to look around; wheel to zoom.</p>
          <p>Touch: one finger drags a thing or looks around; two fingers zoom and pan the view, or rotate the thing that the first one holds; the round pad drives.</p>
          <button type="button" @click="help = false">Close</button>
        </div>
      </div>
    </div>`,
  props: { dark: Boolean, defaults: Object },
  data() { return { panes: 1, notice: "", hint: "", again: false, help: false, preset: "understudy", presets: PRESETS, tick: 0 }; },

  created() {
    this.list = [];
    this.tool = "";
    this.ruler = this.preview = this.moved = null; // moved: a wall that is dragged
    this.fps = 0;
    this.world = new World();
  },

  mounted() {
    this.root = this.$refs.root;
    this.options = { beams: "selected", hits: true, rays: false, trails: true, grid: true, names: true, odometry: false, contacts: true, shapes: false, step: 1, gridStep: 0, trailLength: 0, trailWidth: 1, large: false, quality: "auto", ...this.defaults, ...stored() };
    this.quality = new Quality(this.options.quality);
    try {
      this.view3d = new View3D(this.$refs.gl, this.world, this.quality);
    } catch (problem) {
      this.view3d = null;
      this.notice = "WebGL is not available in this browser: showing the 2D map instead of the 3D view.";
      setTimeout(() => { this.notice = ""; }, 8000);
    }
    this.stream = new Stream((message) => this.hear(message), (open) => this.state(open));
    this.keys = new Keys(this.root, { drive: (held) => this.drive(held), word: (word) => this.word(word), fly: (code, down) => this.flyKey(code, down), any: () => { this.hint = ""; this.driven ||= this.world.selected; this.hinted = true; } });
    this.enlarge(this.options.large);
    for (const [key, value] of Object.entries(stored())) if (KEPT.includes(key)) this.$emit("option", { key, value });
    this.pad = new Pad(this.$refs.pad, (held, share) => this.drive(held, share));
    this.preset = this.keys.preset;
    this.panes = LAYOUTS[this.options.panes] ? Number(this.options.panes) : 1;
    this.$nextTick(() => { this.lay(); this.loop(performance.now()); });
    window.__us = { stage: this, world: this.world, stream: this.stream, project: (name, pane = 0) => this.list[pane].project(name) };
  },

  unmounted() {
    this.gone = true;
    this.keep();
    removeEventListener("pagehide", this.keep);
    this.stream.close();
    this.keys.close();
    this.pad.close();
    this.list.forEach((pane) => pane.dispose());
    this.view3d?.dispose();
  },

  methods: {
    // ---- drawing

    lay() {
      this.list.forEach((pane) => pane.dispose());
      const elements = [...this.root.querySelectorAll(".us-pane")];
      this.list = elements.map((element, i) => new Pane(element, this, ...LAYOUTS[this.panes][i]));
      this.active = this.list[0];
      this.tick += 1;
    },

    loop(now) {
      if (this.gone) return;
      requestAnimationFrame((t) => this.loop(t));
      const seconds = Math.min((now - (this.last || now)) / 1000, 0.1), { frame } = this.stream;
      this.last = now;
      if (frame && frame !== this.world.frame) this.world.show(frame);
      const { width, height } = this.root.getBoundingClientRect(), options = { ...this.options, dark: this.dark };
      if (this.view3d) {
        if (width !== this.width || height !== this.height || this.quality.ratio !== this.ratio) this.view3d.resize(width, height);
        this.ratio = this.quality.ratio;
        this.view3d.update(options);
      }
      this.width = width;
      this.height = height;
      if (this.drew) this.quality.note(now - this.before);
      this.before = now;
      for (const pane of this.list) pane.aim(seconds);
      this.drew = this.view3d?.draw(this.list.filter((pane) => pane.eye && pane.open), options, now);
      for (const pane of this.list) pane.draw(options, this.drew);
      this.options.changed = false;
      this.greet();
      if (this.film) this.compose(this.film);
      if (this.stream.owed) this.fps = 0.9 * this.fps + 0.1 * Math.min(1000 / Math.max(now - (this.shown || now - 33), 1), 120), this.shown = now;
      this.stream.answer();
    },

    greet() { // on the first frame: keys work at once, and a line says which
      if (this.greeted || !this.world.frame || !this.list.length) return;
      this.greeted = true;
      const pane = this.list[0], touch = matchMedia("(pointer: coarse)").matches, robot = this.world.thing(this.world.selected);
      if (document.activeElement === document.body) pane.element.focus({ preventScroll: true });
      if (!PRESETS[this.preset].flies && PRESETS[this.preset].camera) this.list.forEach((each) => each.eye?.lead(PRESETS[this.preset].camera));
      this.remember();
      if (robot?.what === "robot" && robot.drive !== "none" && !this.hinted && !(this.world.frame.flags & REPLAY)) this.hint = touch ? `<b>${escaped(robot.name)}</b> drives with the round pad` : `${PRESETS[this.preset].hint} drive <b>${escaped(robot.name)}</b> &nbsp;·&nbsp; <kbd>?</kbd> all keys`;
    },

    // ---- cameras survive a reload of the page

    scenery() { return JSON.stringify([this.world.scene.name, this.world.scene.bounds, this.panes]); },

    remember() {
      const kept = JSON.parse(sessionStorage.getItem("understudy.cameras") || "null");
      if (kept?.scenery === this.scenery()) {
        if (kept.selected && this.world.thing(kept.selected)) this.select(kept.selected);
        kept.panes.forEach((memory, i) => this.list[i]?.recall(memory));
        this.tick += 1;
      }
      addEventListener("pagehide", this.keep);
    },

    keep() {
      if (this.world.scene) sessionStorage.setItem("understudy.cameras", JSON.stringify({ scenery: this.scenery(), selected: this.world.selected, panes: this.list.map((pane) => pane.memory) }));
    },

    // ---- the stream

    hear(message) {
      if (message.kind === "scene") {
        this.world.describe(message);
        if (!this.moved?.live) this.moved = null;
        this.options.step = this.options.gridStep || gridStep(message.bounds);
        const kept = [this.world.selected, sessionStorage.getItem("understudy.selected"), this.world.robots[0]?.name]; // the second after a reload
        this.select(kept.find((name) => name && this.world.thing(name)) || "");
        this.send({ do: "beams", which: this.options.beams });
      } else if (message.kind === "trail") {
        return this.world.trails.take(message);
      } else if (message.kind === "refused") {
        this.moved = null;
        this.say(message.reason);
      } else if (message.kind === "added") {
        this.world.selected = message.name; // its description follows
      } else if (message.kind === "again") {
        this.again = message.on;
      } else if (message.kind === "reload") {
        location.reload(); // another simulation is shown
      } else if (message.kind === "opening") {
        this.say(`Opening ${message.name} ...`);
      }
      this.$emit("message", message.kind === "scene" ? { kind: "scene", things: this.things() } : message);
    },

    things() {
      const { scene } = this.world;
      return [...scene.bodies, ...scene.fixed].map((thing) => ({ name: thing.name, what: thing.what })).concat(scene.walls.map((wall) => ({ name: wall.name, what: "wall" })), scene.lights.filter((light) => light.style !== "lamp").map((light) => ({ name: light.name, what: "light" })));
    },

    state(open) {
      this.lost = !open;
      this.notice = open ? "" : "The simulation cannot be reached: it has ended, or the connection is broken. Start it again in its terminal; this page then continues by itself.";
      if (open) this.world.frame = null;
    },

    send(message) { this.stream.send(message); },

    say(text) {
      this.notice = text;
      clearTimeout(this.hush);
      this.hush = setTimeout(() => { if (!this.lost) this.notice = ""; }, 5000);
    },

    // ---- user actions

    select(name) {
      this.world.selected = name;
      sessionStorage.setItem("understudy.selected", name);
      const robot = this.world.thing(name)?.what === "robot";
      if (robot) this.driven = name;
      this.send({ do: "select", robot: robot ? name : "" });
      this.$emit("select", { name, what: this.world.thing(name)?.what || "" });
    },

    drive(keys, share) { this.send({ do: "drive", robot: this.driven || this.world.robots?.[0]?.name || "", keys, ...(share ? { share } : {}) }); },

    place(what, point) {
      if (what === "wall") return this.placeWall(point);
      this.send({ do: "add", what, x: point[0], y: point[1] });
      this.setTool("");
    },

    placeWall(point) { // the first click begins a wall, the second ends it
      if (!this.corner) return void (this.corner = this.tip = point);
      this.send({ do: "wall", from: this.corner, to: point });
      this.setTool("");
    },

    snapped(pane, u, v, { shiftKey, altKey }) { // where a corner of a new wall would be; with Shift level or upright, with Alt anywhere
      const point = pane.ground(u, v), { corner } = this;
      if (!point) return null;
      const at = altKey ? point.map((x) => Math.round(x * 1000) / 1000) : new Snap(this.world.scene, this.options).point(point, pane.reachOf(u, v, 0));
      if (!shiftKey || !corner) return at;
      return Math.abs(at[0] - corner[0]) > Math.abs(at[1] - corner[1]) ? [at[0], corner[1]] : [corner[0], at[1]];
    },

    setTool(tool) {
      this.tool = tool;
      this.corner = null;
      if (tool !== "measure") this.ruler = null;
      this.root.classList.toggle("us-placing", Boolean(tool));
      this.$emit("tool", { tool });
    },

    set(key, value) { // called from Python and by keys
      if (key === "panes" && value !== this.panes) { this.panes = value; this.$nextTick(() => this.lay()); }
      this.options[key] = value;
      this.options.changed = true;
      if (key === "gridStep" && this.world.scene) this.options.step = value || gridStep(this.world.scene.bounds);
      if (key === "large") this.enlarge(value);
      if (key === "quality") this.say("The drawing quality changes when the page is reloaded.");
      if (key === "beams") this.send({ do: "beams", which: value });
      const kept = stored();
      if (KEPT.includes(key)) localStorage.setItem("understudy.view", JSON.stringify({ ...kept, [key]: value }));
      this.$emit("option", { key, value });
    },

    enlarge(on) { document.documentElement.classList.toggle("us-large", Boolean(on)); },

    showHelp() { this.help = true; },

    choose(preset) {
      this.preset = preset;
      this.keys.choose(preset);
      if (PRESETS[preset].camera && this.active?.eye) { this.active.eye.lead(PRESETS[preset].camera); this.tick += 1; }
    },

    buttons(i) {
      void this.tick;
      const pane = this.list[i];
      if (!pane) return [];
      const swap = this.view3d ? [{ word: "swap", text: pane.map ? "3D" : "2D", title: pane.map ? "switch to the 3D view" : "switch to the 2D map" }] : [];
      if (pane.map) return [...swap, { word: "initial", text: "Fit", title: "fit the whole scene (V)" }, { word: "follow", text: "Centre", title: "centre on the selected robot (F)", on: pane.map.following }, { word: "in", text: "+", title: "zoom in (wheel)" }, { word: "out", text: "−", title: "zoom out (wheel)" }];
      const mode = pane.eye.mode;
      return [...swap,
        { word: "initial", text: "Home", title: "a view of all robots (V)" }, { word: "all", text: "All", title: "the whole scene (0)" }, { word: "top", text: "Top", title: "the selected robot from above (T)" },
        { word: "front", text: "Front", title: "the selected robot from the front (1)" }, { word: "back", text: "Back", title: "the selected robot from behind (2)" },
        { word: "left", text: "Left", title: "the selected robot from the left (3)" }, { word: "right", text: "Right", title: "the selected robot from the right (4)" },
        { word: "follow", text: "Follow", title: "follow the selected robot (F)", on: mode === "follow" },
        { word: "ride", text: "Ride", title: "view from on board the selected robot (R)", on: mode === "ride" },
        { word: "fly", text: "Fly", title: "fly: W S A D Q Z, drag to look (Y)", on: mode === "fly" }];
    },

    press(i, word) {
      const pane = this.list[i];
      this.active = pane;
      if (word === "swap") pane.become(pane.map ? "3d" : "2d");
      else if (word === "in" || word === "out") pane.map.zoom(word === "in" ? 1.3 : 1 / 1.3);
      else pane.look(word);
      pane.element.focus();
      this.tick += 1;
    },

    flyKey(code, down) {
      const eye = this.active?.eye;
      if (!code) { this.list.forEach((pane) => pane.eye?.held.clear()); return false; }
      if (!["KeyW", "KeyS", "KeyA", "KeyD", "KeyQ", "KeyZ"].includes(code) || !eye) return false;
      if (eye.mode !== "fly" && !(down && PRESETS[this.keys.preset].flies)) return false;
      if (eye.mode !== "fly") this.word("fly");
      if (down) eye.held.add(code); else eye.held.delete(code);
      return true;
    },

    word(word) { // the command of a key
      const { world } = this, name = world.selected;
      if (["toggle", "undo", "redo", "start"].includes(word)) this.send({ do: word });
      else if (word === "step") this.send({ do: "step", ticks: 1 });
      else if (word === "home" && this.driven) this.send({ do: "home", robot: this.driven });
      else if (word === "stop" && this.driven) this.send({ do: "halt", robot: this.driven });
      else if (word === "next" && world.robots?.length) this.select(world.robots[(world.robots.findIndex((robot) => robot.name === name) + 1) % world.robots.length].name);
      else if (word === "remove" && name) this.send({ do: "remove", name });
      else if (word === "duplicate" && name) this.send({ do: "duplicate", name });
      else if (word === "measure") this.setTool(this.tool === "measure" ? "" : "measure");
      else if (word === "beams") this.set("beams", { none: "selected", selected: "all", all: "none" }[this.options.beams]);
      else if (word === "grid") this.set("grid", !this.options.grid);
      else if (word === "help") this.help = !this.help;
      else if (word === "nothing") { if (!this.list.some((pane) => pane.hands.cancel())) { this.setTool(""); this.help = false; } }
      else if (word.startsWith("line_")) this.$emit("message", { kind: "program", step: word === "line_on" ? 1 : -1 });
      else if (word === "fly_or_follow") { this.active?.look(this.active.eye?.mode === "fly" ? "follow" : "fly"); this.tick += 1; }
      else if (CAMERA_STEPS[word]) this.active?.eye?.[CAMERA_STEPS[word][0]](...CAMERA_STEPS[word].slice(1));
      else if (this.active) { this.active.look(word); this.tick += 1; }
    },

    // ---- pictures

    async picture() { // all panes as one PNG, as a data URL
      this.view3d?.spoil(); // as the cameras are now
      await nextFrame();
      const canvas = this.compose(), blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
      return new Promise((done) => { const reader = new FileReader(); reader.onload = () => done(reader.result); reader.readAsDataURL(blob); });
    },

    save(url, name) {
      const link = document.createElement("a");
      link.href = url;
      link.download = name;
      link.click();
    },

    async shoot(url, time) { // a picture at this simulated time, sent to the server
      for (let i = 0; i < 300 && Math.abs((this.world.frame?.time ?? -1) - time) > 1e-9; i++) await nextFrame();
      await nextFrame();
      const blob = await new Promise((done) => this.compose().toBlob(done, "image/png"));
      return (await fetch(url, { method: "POST", body: blob })).ok;
    },

    movie() { // starts recording, or stops and saves; returns whether it records
      if (this.recorder) {
        this.recorder.stop();
        this.recorder = this.film = null;
        return false;
      }
      this.film = this.compose();
      const type = ["video/webm;codecs=vp9", "video/webm", "video/mp4"].find((kind) => MediaRecorder.isTypeSupported(kind)), parts = [];
      this.recorder = new MediaRecorder(this.film.captureStream(30), { mimeType: type });
      this.recorder.ondataavailable = (event) => parts.push(event.data);
      this.recorder.onstop = () => this.save(URL.createObjectURL(new Blob(parts, { type })), `understudy.${type.includes("mp4") ? "mp4" : "webm"}`);
      this.recorder.start(500);
      return true;
    },

    compose(canvas = document.createElement("canvas")) {
      const { width, height } = this.root.getBoundingClientRect(), ratio = this.view3d ? this.quality.ratio : devicePixelRatio || 1; // as sharp as on the screen
      if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
      }
      const pen = canvas.getContext("2d");
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      if (this.view3d) pen.drawImage(this.$refs.gl, 0, 0, width, height);
      for (const pane of this.list) {
        const { left, top, width: w, height: h } = pane.rect;
        if (pane.map) pen.drawImage(pane.canvas, left, top, w, h);
        pen.drawImage(pane.overlay, left, top, w, h);
      }
      return canvas;
    },
  },
};

function escaped(text) { return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`); }

function nextFrame() { return new Promise((done) => requestAnimationFrame(done)); }

function stored() {
  try { return JSON.parse(localStorage.getItem("understudy.view")) || {}; } catch { return {}; }
}
