// The values of the selected robot as a NiceGUI component: a section for each sensor, with ranges and pictures.
const KEPT = "understudy.open";
const OPEN_AT_FIRST = ["pose", "velocity"]; // and cameras

export default {
  template: `
    <div class="us-readings">
      <section v-for="s in sections" :key="s.path" :data-path="s.path">
        <div class="us-reading-head">
          <button type="button" :aria-expanded="String(isOpen(s))" :title="(isOpen(s) ? 'hide' : 'show') + ' all values of ' + s.title"
                  @click="toggle(s)"><span aria-hidden="true">{{ isOpen(s) ? "▾" : "▸" }}</span> {{ s.title }}</button>
          <small>{{ s.kind === s.title ? "" : s.kind }}</small>
          <span class="us-brief" :title="brief(s)">{{ isOpen(s) ? "" : brief(s) }}</span>
          <label v-if="s.device && !fixed" :title="s.title + ': on or off'"><input type="checkbox" :checked="figures[s.path]?.on ?? s.on" :aria-label="s.title + ' on'"
                 @change="$emit('switch', { path: s.path, on: $event.target.checked })"></label>
        </div>
        <div v-if="isOpen(s)" class="us-reading-body">
          <figure v-for="p in pictures[s.path] || []" :key="p.name"><img :src="p.url" :alt="p.name + ' image of ' + s.title">
            <figcaption>{{ p.name }}<span v-if="p.legend">: {{ p.legend }}</span></figcaption></figure>
          <canvas v-if="s.bearings.length" class="us-polar" width="440" height="440" role="img" :aria-label="'ranges of ' + s.title + ', forward is up'"
                  :title="'ranges of ' + s.title + ', forward is up; the farthest it sees is ' + s.limit + ' m'"></canvas>
          <div class="us-values"><table><tbody>
            <tr v-for="(v, i) in s.values" :key="i">
              <th scope="row" :title="v[0]">{{ v[0] }}<small v-if="s.bearings.length === s.values.length">&nbsp; {{ s.bearings[i].toFixed(0) }}°</small></th>
              <td class="us-number" :data-value="s.path + ' ' + v[0]">{{ texts(s)[i] }}</td><td>{{ /\\d/.test(texts(s)[i] || "") ? v[1] : "" }}</td>
              <td><button type="button" class="us-pin" :class="{ on: pinned(s, i) }" :aria-pressed="String(pinned(s, i))" :aria-label="'plot ' + s.title + ' ' + v[0]"
                  :title="pinned(s, i) ? 'stop plotting ' + v[0] : 'plot ' + v[0] + ' over time'" @click="$emit('pin', { path: s.path, index: i })">∿</button></td>
            </tr></tbody></table></div>
        </div>
      </section>
    </div>`,
  props: { sections: Array, fixed: Boolean }, // fixed: a tape, of which nothing is switched
  data() { return { figures: {}, pictures: {}, opened: stored(), pins: [] }; },
  mounted() { this.tell(); },
  watch: { sections() { this.figures = {}; this.pictures = {}; this.tell(); } },

  methods: {
    isOpen(s) { return this.opened[s.title] ?? (OPEN_AT_FIRST.includes(s.title) || s.pictures.length > 0); },

    toggle(s) {
      this.opened = { ...this.opened, [s.title]: !this.isOpen(s) };
      localStorage.setItem(KEPT, JSON.stringify(this.opened));
      this.tell();
    },

    tell() { this.$emit("open", this.sections.filter((s) => this.isOpen(s)).map((s) => s.path)); },
    brief(s) { return this.figures[s.path]?.brief || ""; },
    texts(s) { return this.figures[s.path]?.texts || []; },
    pinned(s, i) { return this.pins.includes(`${s.path} ${i}`); },

    // ---- called from Python

    show(rows) {
      for (const row of rows) this.figures[row.path] = row;
      this.$nextTick(() => this.draw());
    },

    showPictures(path, list) { this.pictures[path] = list; },
    showPins(pins) { this.pins = pins; },

    draw() {
      for (const s of this.sections.filter((each) => each.bearings.length && this.isOpen(each))) {
        const canvas = this.$el.querySelector(`section[data-path="${s.path}"] canvas`);
        if (canvas) polar(canvas, s, this.figures[s.path]?.ranges || []);
      }
    },
  },
};

function polar(canvas, { bearings, limit }, ranges) { // forward is up, left is left
  const pen = canvas.getContext("2d"), ink = getComputedStyle(canvas).color, half = canvas.width / 2;
  const seen = ranges.filter((r) => r !== null && r < limit), far = Math.min(limit, Math.max(...seen, 0.5) * 1.1), scale = (half - 26) / far;
  pen.clearRect(0, 0, canvas.width, canvas.height);
  pen.strokeStyle = pen.fillStyle = ink;
  pen.font = "20px system-ui, sans-serif";
  const step = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50].find((s) => far / s <= 4) || 100;
  pen.globalAlpha = 0.28;
  for (let r = step; r <= far; r += step) { pen.beginPath(); pen.arc(half, half, r * scale, 0, 7); pen.stroke(); }
  pen.globalAlpha = 0.8;
  for (let r = step; r <= far; r += step) pen.fillText(`${+r.toFixed(2)} m`, half + 4, half + r * scale - 4);
  pen.globalAlpha = 1;
  const beams = bearings.length <= 40;
  bearings.forEach((bearing, i) => {
    const range = ranges[i], lost = range === null || range === undefined, free = !lost && range >= limit, length = Math.min(lost ? far : range, far) * scale;
    const turn = (bearing * Math.PI) / 180, x = half - Math.sin(turn) * length, y = half - Math.cos(turn) * length;
    if (lost) return;
    pen.strokeStyle = free ? ink : "#1f7fd0";
    pen.globalAlpha = free ? 0.15 : beams ? 0.9 : 0.35;
    pen.lineWidth = beams ? 3 : 1.5;
    pen.beginPath();
    pen.moveTo(half, half);
    pen.lineTo(x, y);
    pen.stroke();
    pen.globalAlpha = 1;
    pen.fillStyle = "#d1481f";
    if (!free) pen.fillRect(x - 3, y - 3, 6, 6);
  });
  pen.fillStyle = ink;
  pen.beginPath();
  pen.moveTo(half, half - 13);
  pen.lineTo(half - 9, half + 9);
  pen.lineTo(half + 9, half + 9);
  pen.fill();
}

function stored() {
  try { return JSON.parse(localStorage.getItem(KEPT)) || {}; } catch { return {}; }
}
