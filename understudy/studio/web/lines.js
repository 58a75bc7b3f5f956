// Lines in columns that grow at the end and scroll: messages, and bytes. A line that repeats is counted, not repeated.
const FOLD = 6; // lines that are searched for the same one

export default {
  template: `
    <div class="us-lines" ref="box" @scroll="scrolled" role="log">
      <div v-for="row in rows" :key="row.number" class="us-line" :class="'us-' + row.level">
        <span class="us-when">{{ row.when }}</span><span v-if="row.mark" class="us-mark">{{ row.mark }}</span>
        <span v-if="row.words !== null" class="us-words" :title="row.words">{{ row.words }}</span>
        <span class="us-text" :title="row.text.length > 60 ? row.text : ''">{{ row.text }}</span><b v-if="row.count > 1" :title="row.count + ' times, last at ' + row.when.trim()">× {{ row.count }}</b>
      </div>
      <div v-if="!rows.length" class="us-quiet us-none">{{ empty }}</div>
    </div>`,
  props: { most: Number, empty: String, folds: Boolean },
  data() { return { rows: [] }; },
  created() { this.atEnd = true; },

  methods: {
    add(rows) { // each: number, when, level, mark, words, text
      for (const row of rows) {
        const known = this.folds && this.rows.slice(-FOLD).find((old) => same(old.text) === same(row.text) && old.level === row.level);
        if (known) Object.assign(known, { count: known.count + 1, when: row.when, text: row.text });
        else this.rows.push({ count: 1, mark: "", words: null, ...row });
      }
      if (this.rows.length > this.most) this.rows.splice(0, this.rows.length - this.most);
      this.$nextTick(() => { if (this.atEnd) this.$refs.box.scrollTop = this.$refs.box.scrollHeight; });
    },

    clear() { this.rows = []; this.atEnd = true; },

    scrolled() { // who reads an earlier line is not taken away from it
      const { scrollTop, scrollHeight, clientHeight } = this.$refs.box;
      this.atEnd = scrollTop + clientHeight > scrollHeight - 24;
    },
  },
};

function same(text) { return text.replace(/\d+\.\d+/g, "#"); } // a message with another measurement is the same message
