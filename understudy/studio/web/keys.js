// Keyboard input of a view, while it has the focus. Held keys drive; every other key is a command word for the stage.

// driving keys by preset: key code -> name in understudy/studio/driving.py
const ARROWS = { ArrowUp: "forward", ArrowDown: "back", ArrowLeft: "left", ArrowRight: "right" };
export const PRESETS = {
  understudy: {
    title: "Understudy",
    hint: "<kbd>←</kbd> <kbd>↑</kbd> <kbd>↓</kbd> <kbd>→</kbd>",
    drive: { ...ARROWS, KeyI: "forward", KeyK: "back", KeyJ: "left", KeyL: "right", Comma: "shift_left", Slash: "shift_right" },
    words: { Space: "toggle", Period: "step", Home: "home", KeyF: "follow", KeyT: "top", KeyV: "initial", Digit0: "all", Digit1: "front", Digit2: "back", Digit3: "left", Digit4: "right", KeyR: "ride", KeyB: "beams", KeyG: "grid", KeyY: "fly", KeyN: "next", Delete: "remove", KeyD: "duplicate", KeyM: "measure" },
    help: [["arrows, or I J K L", "drive the selected robot"], [", and /", "drive sideways (omnidirectional robots)"], ["Space", "pause or resume"], [".", "step one tick"], ["N", "next robot"], ["Home", "move the robot to its start and reset odometry"], ["F  R  Y", "camera: follow, on board, fly"], ["V  0", "camera: all robots, the whole scene"], ["T 1 2 3 4", "camera: the selected robot from the top, front, back, left, right"], ["B G M", "beams, grid, measure"], ["D  Delete", "duplicate, delete the selected thing"], ["Ctrl Z  Ctrl Y", "undo, redo"], ["?", "this help"]],
  },
  sear: {
    title: "SEAR",
    hint: "<kbd>U</kbd> <kbd>H</kbd> <kbd>J</kbd> <kbd>K</kbd>",
    camera: "follow",
    drive: { KeyU: "forward", KeyJ: "back", KeyH: "left", KeyK: "right" },
    words: { Semicolon: "stop", Enter: "home", NumpadEnter: "home", Space: "fly_or_follow" },
    help: [["U J", "forward, reverse"], ["H K", "spin left, spin right"], [";", "stop"], ["Enter", "reset pose and odometry"], ["Space", "camera: follow the robot, or fly"], ["Q Z  W S  A D", "fly up and down, forward and back, left and right"], ["?", "this help"]],
  },
  sear2011: {
    title: "SEAR 2011",
    hint: "<kbd>U</kbd> <kbd>H</kbd> <kbd>K</kbd>",
    camera: "follow",
    flies: true, // camera keys work without switching to fly mode
    drive: { KeyU: "forward", KeyH: "left", KeyK: "right" },
    words: { KeyJ: "stop", Enter: "home", NumpadEnter: "home", Space: "start" },
    help: [["U", "accelerate"], ["J", "brake"], ["H K", "spin left, spin right"], ["Enter", "reset the robot's position"], ["Space", "start the waiting program"], ["Q Z  W S  A D", "camera"], ["?", "this help"]],
  },
  lurobotsim: {
    title: "LURobotSim", // tables F.1 and F.2 of its user guide; driving is ours, on the keys that it leaves free
    hint: "<kbd>J</kbd> <kbd>L</kbd> <kbd>K</kbd> <kbd>O</kbd>",
    drive: { KeyO: "forward", KeyK: "back", KeyJ: "left", KeyL: "right" },
    words: { ArrowUp: "camera_x_up", ArrowDown: "camera_x_down", ArrowLeft: "camera_z_up", ArrowRight: "camera_z_down", F1: "camera_down", F2: "camera_up", F3: "camera_clockwise", F4: "camera_anticlockwise", F5: "line_back", F6: "line_on", KeyF: "front", KeyB: "back", KeyT: "top", KeyS: "right", KeyI: "initial", Space: "toggle" },
    help: [["↑ ↓", "move the camera along the X axis"], ["← →", "move the camera along the Z axis"], ["F1 F2", "move the camera down, up"], ["F3 F4", "turn the camera clockwise, anti-clockwise"], ["F5 F6", "scroll the program window"], ["F B T S", "view the robot from the front, back, top, right side"], ["I", "initial position of the camera"], ["O K J L", "drive the selected robot"], ["Space", "pause or resume"], ["?", "this help"]],
  },
};
const COMMON = { Escape: "nothing" };
const REPEAT_MS = 100;

export class Keys {
  constructor(element, { drive, word, fly, any }) {
    this.preset = PRESETS[localStorage.getItem("understudy.keys")] ? localStorage.getItem("understudy.keys") : "understudy";
    this.held = new Set();
    this.onDrive = drive;
    this.onWord = word;
    this.onFly = fly;
    this.onAny = any; // any key
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
    this.onAny();
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
