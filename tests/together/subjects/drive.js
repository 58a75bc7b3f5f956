// Drives a Pioneer: a socket, intervals, a worker thread, a child process, a file.   node drive.js PORT SECONDS
const net = require('net'), fs = require('fs'), { exec } = require('child_process');
const { Worker, isMainThread, parentPort } = require('worker_threads');

function packet(body) {
  let sum = 0;
  for (let i = 0; i + 1 < body.length; i += 2) sum += body[i] << 8 | body[i + 1];
  if (body.length % 2) sum ^= body[body.length - 1];
  return Buffer.from([0xfa, 0xfb, body.length + 2, ...body, sum >> 8 & 255, sum & 255]);
}

function main(port, seconds) {
  const robot = net.connect(port, '127.0.0.1');
  const command = (code, v) => robot.write(packet([code, v < 0 ? 0x1b : 0x3b, Math.abs(v) & 255, Math.abs(v) >> 8]));
  let bytes = 0, pieces = 0;
  robot.write(packet([0]));
  robot.on('data', data => {
    bytes += data.length;
    if (++pieces < 3) robot.write(packet([pieces]));
    if (pieces === 3) begin();
  });

  function begin() {
    command(1, 1);
    command(4, 1);
    const timers = [
      setInterval(() => command(11, 150 + Math.floor(Math.random() * 100)), 110),
      setInterval(() => command(21, pieces % 40 - 20), 73),
    ];
    new Worker(__filename).on('message', message => console.log('worker', message));
    exec('sleep 0.4; date +%s.%N', (problem, out) => console.log('child', out.trim(), Date.now()));
    fs.readFile(__filename, (problem, text) => console.log('file', text.length > 100, Date.now()));
    setTimeout(() => {
      timers.forEach(clearInterval);
      robot.end();
      console.log(performance.now().toFixed(2), bytes, pieces, Date.now());
    }, seconds * 1000);
  }
}

if (isMainThread) main(Number(process.argv[2]), Number(process.argv[3]));
else setTimeout(() => parentPort.postMessage(Date.now()), 300);
