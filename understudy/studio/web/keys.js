// Keyboard input of a view, while it has the focus. Held keys drive; every other key is a command word for the stage.

// driving keys by preset: key code -> name in understudy/studio/driving.py
const ARROWS = { ArrowUp: "forward", ArrowDown: "back", ArrowLeft: "left", ArrowRight: "right" };
export const PRESETS = {
  understudy: {
    title: "Understudy",
    drive: { ...ARROWS, KeyI: "forward", KeyK: "back", KeyJ: "left", KeyL: "right", Comma: "shift_left", Slash: "shift_right" },
    words: { Space: "toggle", Period: "step", Home: "home", KeyF: "follow", KeyT: "top", KeyV: "initial", Digit1: "front", Digit2: "back", Digit3: "left", Digit4: "right", KeyR: "ride", KeyB: "beams", KeyG: "grid", KeyY: "fly", KeyN: "next", Delete: "remove", KeyD: "duplicate", KeyM: "measure" },
    help: [["arrows, or I J K L", "drive the selected robot"], [", and /", "drive sideways (omnidirectional robots)"], ["Space", "pause or resume"], [".", "step one tick"], ["N", "next robot"], ["Home", "move the robot to its start and reset odometry"], ["F  R  Y", "camera: follow, on board, fly"], ["V T 1 2 3 4", "camera: initial, top, front, back, left, right"], ["B G M", "beams, grid, measure"], ["D  Delete", "duplicate, delete the selected thing"], ["Ctrl Z  Ctrl Y", "undo, redo"], ["?", "this help"]],
  },
  sear: {
    title: "SEAR",
    drive: { KeyU: "forward", KeyJ: "back", KeyH: "left", KeyK: "right" },
    words: { Semicolon: "stop", Enter: "home", NumpadEnter: "home", Space: "fly" },
    help: [["U J", "forward, reverse"], ["H K", "spin left, spin right"], [";", "stop"], ["Enter", "reset pose and odometry"], ["Space", "fly camera on and off"], ["Q Z  W S  A D", "fly up and down, forward and back, left and right"], ["?", "this help"]],
  },
  sear2011: {
    title: "SEAR 2011",
    flies: true, // camera keys work without switching to fly mode
    drive: { KeyU: "forward", KeyH: "left", KeyK: "right" },
    words: { KeyJ: "stop", Enter: "home", NumpadEnter: "home", Space: "start" },
    help: [["U", "accelerate"], ["J", "brake"], ["H K", "spin left, spin right"], ["Enter", "reset the robot's position"], ["Space", "start the waiting program"], ["Q Z  W S  A D", "camera"], ["?", "this help"]],
  },
  lurobotsim: {
    title: "LURobotSim",
    drive: { ...ARROWS },
    words: { F1: "initial", F2: "front", F3: "top", F4: "follow", F5: "line_back", F6: "line_on", Space: "toggle" },
    help: [["arrows", "drive the selected robot"], ["F1 F2 F3 F4", "camera: initial, front, top, follow"], ["F5 F6", "step back and forward through the program"], ["Space", "pause or resume"], ["?", "this help"]],
  },
};
const COMMON = { Escape: "nothing" };
const REPEAT_MS = 100;

export class Keys {
  constructor(element, onDrive, onWord, onFly) {
    this.preset = PRESETS[localStorage.getItem("understudy.keys")] ? localStorage.getItem("understudy.keys") : "understudy";
    this.held = new Set();
    this.onDrive = onDrive;
    this.onWord = onWord;
    this.onFly = onFly;
    this.listen(element, "keydown", (event) => this.down(event));
    this.listen(element, "keyup", (event) => this.up(event));
    this.listen(element, "focusout", () => this.release());
    this.listen(window, "blur", () => this.release());
    this.listen(document, "visibilitychange", () => document.hidden && this.release());
    this.timer = setInterval(() => this.driving().length && this.send(), REPEAT_MS);
  }

  listen(target, name, call) {
    (this.ends ||= []).push(() => target.removeEventListener(name, call));
    target.addEventListener(name, call);
  }

  choose(preset) {
    this.release();
    this.preset = preset;
    localStorage.setItem("understudy.keys", preset);
  }

  down(event) {
    if (event.target.closest("button, select, input, textarea") && event.code !== "Escape") return; // keys of that element
    if (event.repeat && this.held.has(event.code)) return void event.preventDefault();
    if (event.ctrlKey || event.metaKey) {
      const word = { KeyZ: event.shiftKey ? "redo" : "undo", KeyY: "redo" }[event.code];
      if (word) { event.preventDefault(); this.onWord(word); }
      return;
    }
    if (event.altKey) return;
    const { drive, words } = PRESETS[this.preset];
    if (event.key === "?") { event.preventDefault(); return this.onWord("help"); }
    if (this.onFly(event.code, true)) return void event.preventDefault();
    if (drive[event.code]) {
      event.preventDefault();
      this.held.add(event.code);
      this.send();
    } else if (words[event.code]) { // not Tab: it must move the focus out of a view
      event.preventDefault();
      this.onWord(words[event.code]);
    } else if (COMMON[event.code]) {
      this.onWord(COMMON[event.code]);
    }
  }

  up(event) {
    this.onFly(event.code, false);
    if (this.held.delete(event.code)) this.send();
  }

  release() {
    this.onFly("", false);
    if (!this.held.size) return;
    this.held.clear();
    this.send();
  }

  driving() { return [...this.held].map((code) => PRESETS[this.preset].drive[code]).filter(Boolean); }

  send() { this.onDrive(this.driving()); }

  close() {
    clearInterval(this.timer);
    this.ends.forEach((end) => end());
  }
}
