// Pinned values over simulated time: one chart for each unit, below each other, with a common time axis.
const COLOURS = ["#0077bb", "#ee7733", "#009988", "#cc3311", "#aa3377", "#997700", "#33aadd", "#555555"];

export default {
  template: `
    <div class="us-plots">
      <div class="us-plot-bar">
        <button type="button" :aria-pressed="String(paused)" :class="{ on: paused }" @click="hold" title="hold the picture; values are still recorded">{{ paused ? "Continue" : "Pause" }}</button>
        <button type="button" @click="fit" title="show the whole time again">Fit</button>
        <button type="button" @click="$emit('csv')" title="save all points as a CSV file">CSV</button>
        <span v-for="(c, i) in curves" :key="c.title" class="us-curve"><i :style="{ background: colour(i) }"></i>{{ c.title }}
          <b :data-curve="c.title">{{ c.last }}</b> {{ c.unit }}<button type="button" :title="'stop plotting ' + c.title" :aria-label="'stop plotting ' + c.title" @click="$emit('unpin', i)">×</button></span>
        <span v-if="!curves.length" class="us-quiet">Nothing is plotted yet: press ∿ beside a value in the robot panel.</span>
        <span v-else class="us-quiet us-plot-hint">wheel: zoom, drag: move</span>
      </div>
      <div class="us-chart" ref="chart"></div>
    </div>`,
  props: { dark: Boolean },
  data() { return { curves: [], paused: false }; },

  created() { this.points = []; },

  mounted() {
    this.sizes = new ResizeObserver(() => { this.chart?.resize(); this.lay(); });
    this.sizes.observe(this.$refs.chart);
    window.__plots = this;
  },

  unmounted() {
    this.sizes.disconnect();
    this.chart?.dispose();
  },

  watch: { dark() { this.lay(); } },

  methods: {
    colour(i) { return COLOURS[i % COLOURS.length]; },

    async begin(curves, points) { // other curves, or time has begun anew
      this.curves = curves.map(([title, unit]) => ({ title, unit, last: "" }));
      this.points = points;
      if (curves.length && !this.chart) {
        const { echarts } = await import("nicegui-echart"); // large: only for those who plot
        this.chart ||= echarts.init(this.$refs.chart);
      }
      this.lay();
    },

    add(points, most) {
      this.points.push(...points);
      if (this.points.length > most) this.points.splice(0, this.points.length - most);
      this.draw();
    },

    hold() {
      this.paused = !this.paused;
      this.draw();
    },

    fit() { this.chart?.dispatchAction({ type: "dataZoom", start: 0, end: 100 }); },

    lay() { // a chart for each unit
      if (!this.chart) return;
      const units = [...new Set(this.curves.map((c) => c.unit))], ink = this.dark ? "#dfe6ec" : "#1b2026", line = this.dark ? "#46525d" : "#d5dbe0";
      const high = (this.$refs.chart.clientHeight - 24) / Math.max(units.length, 1), axis = { axisLine: { lineStyle: { color: ink } }, axisLabel: { color: ink, hideOverlap: true }, splitLine: { lineStyle: { color: line } } };
      this.chart.setOption({
        animation: false,
        tooltip: { trigger: "axis", confine: true, valueFormatter: (value) => (typeof value === "number" ? String(+value.toPrecision(7)) : "") },
        axisPointer: { link: [{ xAxisIndex: "all" }] },
        dataZoom: [{ type: "inside", xAxisIndex: units.map((_, i) => i), filterMode: "none" }],
        grid: units.map((_, i) => ({ left: 78, right: 30, top: 8 + i * high, height: high - 16, outerBoundsMode: "none" })),
        xAxis: units.map((_, i) => ({ type: "value", gridIndex: i, min: "dataMin", max: "dataMax", ...axis, axisLabel: { ...axis.axisLabel, show: i === units.length - 1, showMinLabel: false, showMaxLabel: false, formatter: (t) => `${+t.toFixed(2)} s` } })),
        yAxis: units.map((unit, i) => ({ type: "value", gridIndex: i, scale: true, splitNumber: 3, name: unit, nameLocation: "middle", nameGap: 60, nameTextStyle: { color: ink }, ...axis })),
        series: this.series(units),
      }, { notMerge: true });
      this.tell();
    },

    series(units) {
      return this.curves.map((curve, i) => ({
        name: curve.title, type: "line", showSymbol: false, sampling: "lttb", lineStyle: { width: 1.5, color: this.colour(i) }, itemStyle: { color: this.colour(i) },
        xAxisIndex: units.indexOf(curve.unit), yAxisIndex: units.indexOf(curve.unit), data: this.points.map((p) => [p[0], p[i + 1]]),
      }));
    },

    draw() {
      this.tell();
      if (!this.chart || this.paused || !this.$refs.chart.offsetParent) return; // a hidden tab is not drawn
      this.chart.setOption({ series: this.curves.map((_, i) => ({ data: this.points.map((p) => [p[0], p[i + 1]]) })) });
    },

    tell() { // the last values, beside the titles
      const last = this.points[this.points.length - 1];
      if (!this.paused) this.curves.forEach((curve, i) => { curve.last = last && last[i + 1] !== null ? String(+last[i + 1].toPrecision(6)) : "–"; });
    },
  },
};
