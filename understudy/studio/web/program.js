// The program of an RCX: icons with wires; those that run now are marked and kept in sight.
const STEP = 160; // pixels of a scroll
const LEAVE_MS = 4000; // after a scroll by the user the view does not follow for so long

export default {
  template: `
    <div class="us-program" tabindex="0" role="region" aria-label="program of the RCX" @wheel="touched" @pointerdown="touched">
      <div v-if="!svg" class="us-quiet us-none">{{ brick ? "The RCX has no program yet: download one, or press Prgm." : "Select a robot with an RCX to see its program." }}</div>
      <div ref="picture"></div>
    </div>`,
  data() { return { svg: "", brick: false }; },
  created() { this.left = 0; },

  methods: {
    show(svg, brick) {
      this.svg = svg;
      this.brick = brick;
      this.$refs.picture.innerHTML = svg; // made by us, its words escaped
    },

    mark(running) { // [number of an icon, seconds that it still waits]
      for (const old of this.$el.querySelectorAll(".now")) old.classList.replace("now", "ran");
      for (const label of this.$el.querySelectorAll(".us-left")) label.remove();
      for (const [number, seconds] of running) {
        const icon = this.$el.querySelector(`[data-icon="${number}"]`), box = icon?.querySelector("rect");
        if (!box) continue;
        box.classList.add("now");
        if (seconds > 0) icon.insertAdjacentHTML("beforeend", `<text class="time us-left" x="28" y="-5" text-anchor="middle">${Number(seconds).toFixed(1)} s</text>`);
        if (performance.now() - this.left > LEAVE_MS) this.follow(icon);
      }
    },

    follow(icon) { // into sight, without moving more than needed
      const view = this.$el.getBoundingClientRect(), at = icon.getBoundingClientRect();
      if (at.left < view.left + 10 || at.right > view.right - 40) this.$el.scrollLeft += at.left - view.left - view.width / 3;
      if (at.top < view.top + 20 || at.bottom > view.bottom - 10) this.$el.scrollTop += at.top - view.top - view.height / 3;
    },

    scroll(steps) {
      this.touched();
      this.$el.scrollLeft += steps * STEP;
    },

    touched() { this.left = performance.now(); },
  },
};
