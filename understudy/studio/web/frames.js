// Reads the stream's binary frames; the layout is documented in understudy/studio/frames.py.
export const POSE2 = 1, POSE3 = 2, ROLLING = 3, RANGES = 4, CONTACTS = 9;
export const NOTHING = 0, LOST = 65533, NEAR = 65534, FAR = 65535;
export const PAUSED = 1, REPLAY = 2;
const MAGIC = 0x31465355; // "USF1"

export function unpack(buffer) {
  const view = new DataView(buffer);
  if (buffer.byteLength < 32 || view.getUint32(0, true) !== MAGIC) throw new Error("not a frame");
  const frame = {
    flags: view.getUint16(6, true),
    seq: view.getUint32(8, true),
    epoch: view.getUint32(12, true),
    time: view.getFloat64(16, true),
    factor: view.getFloat32(24, true),
    poses: new Float32Array(0),
    beliefs: new Float32Array(0),
    rolling: new Float32Array(0),
    contacts: new Float32Array(0),
    ranges: [],
  };
  let at = 32;
  for (let i = view.getUint16(28, true); i > 0; i--) {
    const kind = view.getUint16(at, true), count = view.getUint32(at + 4, true);
    const bytes = view.getUint32(at + 8, true), aux = view.getUint32(at + 12, true);
    at += 16;
    if (kind === POSE3) frame.poses = new Float32Array(buffer, at, count * 7);
    else if (kind === POSE2) frame.beliefs = new Float32Array(buffer, at, count * 3);
    else if (kind === ROLLING) frame.rolling = new Float32Array(buffer, at, count * 4);
    else if (kind === CONTACTS) frame.contacts = new Float32Array(buffer, at, count * 4);
    else if (kind === RANGES) frame.ranges.push(ranges(buffer, at, count, bytes, aux));
    at += bytes + ((4 - (bytes % 4)) % 4);
  }
  return frame;
}

function ranges(buffer, at, count, bytes, slot) {
  const head = Math.ceil(count / 2) * 4; // rows, padded to four bytes
  return {
    slot,
    rows: new Uint16Array(buffer, at, count),
    values: new Uint16Array(buffer, at + head, (bytes - head) / 2),
  };
}

export function bytes(text) { // of base 64
  const raw = atob(text), found = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) found[i] = raw.charCodeAt(i);
  return found.buffer;
}

export const floats = (text) => new Float32Array(bytes(text));

export function heading(poses, slot) {
  const [x, y, z, w] = poses.subarray(slot * 7 + 3, slot * 7 + 7);
  return Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
}

export function rotate(q, at, v, out) { // a vector rotated by the quaternion at q[at]
  const x = q[at], y = q[at + 1], z = q[at + 2], w = q[at + 3];
  const tx = 2 * (y * v[2] - z * v[1]), ty = 2 * (z * v[0] - x * v[2]), tz = 2 * (x * v[1] - y * v[0]);
  out[0] = v[0] + w * tx + y * tz - z * ty;
  out[1] = v[1] + w * ty + z * tx - x * tz;
  out[2] = v[2] + w * tz + x * ty - y * tx;
  return out;
}
