// The websocket: receives descriptions, messages and the latest frame; acknowledges each frame after it was drawn.
import { unpack } from "/web/frames.js";

const AGAIN_MS = 1000;

export class Stream {
  constructor(onMessage, onState) {
    this.onMessage = onMessage;
    this.onState = onState;
    this.frame = null;
    this.epoch = -1;
    this.owed = 0;
    this.drawn = 0;
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/stream`);
    this.socket.binaryType = "arraybuffer";
    this.socket.onopen = () => this.onState(true);
    this.socket.onmessage = (event) => this.take(event.data);
    this.socket.onclose = () => {
      this.onState(false);
      this.frame = null;
      this.owed = 0;
      if (!this.closed) setTimeout(() => this.closed || this.open(), AGAIN_MS);
    };
  }

  take(data) {
    if (typeof data === "string") {
      const message = JSON.parse(data);
      if (message.kind === "scene") this.epoch = message.epoch;
      this.onMessage(message);
      return;
    }
    this.owed += 1;
    const frame = unpack(data);
    if (frame.epoch === this.epoch) this.frame = frame; // frames of an earlier scene are never drawn
  }

  answer() { // called after drawing
    for (; this.owed > 0; this.owed--) {
      this.drawn += 1;
      if (this.socket.readyState === WebSocket.OPEN) this.socket.send(new Uint8Array(4));
    }
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  close() {
    this.closed = true;
    this.socket.close();
  }
}
