// Keeps how a user has arranged the page, in the browser; and the grip that makes the panel wider.
const KEPT = "understudy.layout";
const LEAST = 240, SHARE = 0.7; // width of the panel in pixels, and of the page at most
const SEND_MS = 60;

export default {
  template: "<div style='display: none'></div>",
  props: { width: Number },

  mounted() {
    this.grip = Object.assign(document.createElement("div"), { className: "us-grip", tabIndex: 0, title: "drag to make the panel wider" });
    this.grip.setAttribute("role", "separator");
    this.grip.setAttribute("aria-label", "width of the panel: arrow keys");
    this.$el.closest(".q-drawer")?.append(this.grip);
    this.grip.addEventListener("pointerdown", (event) => { this.held = true; this.grip.setPointerCapture(event.pointerId); });
    this.grip.addEventListener("pointermove", (event) => this.held && this.wide(innerWidth - event.clientX));
    this.grip.addEventListener("pointerup", () => { this.held = false; });
    this.grip.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: 20, ArrowRight: -20 }[event.key];
      if (step) this.wide(this.grip.parentElement.clientWidth + step);
    });
    this.onKey = (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.code !== "KeyS") return;
      event.preventDefault(); // the browser would save the page
      if (!event.repeat) this.$emit("save");
    };
    window.addEventListener("keydown", this.onKey, true);
    this.$emit("known", stored());
  },

  unmounted() {
    this.grip.remove();
    window.removeEventListener("keydown", this.onKey, true);
  },

  methods: {
    keep(key, value) { localStorage.setItem(KEPT, JSON.stringify({ ...stored(), [key]: value })); },

    wide(pixels) {
      this.wanted = Math.round(Math.min(Math.max(pixels, LEAST), innerWidth * SHARE));
      this.timer ||= setTimeout(() => { this.timer = 0; this.$emit("wide", this.wanted); }, SEND_MS);
    },
  },
};

function stored() {
  try { return JSON.parse(localStorage.getItem(KEPT)) || {}; } catch { return {}; }
}
