/** A program of a request thread that does what the address says. */
import { parentPort, workerData } from 'node:worker_threads';

let asked = 0;

parentPort.on('message', ({ url, body }) => {
  asked += 1;
  const held = [];
  if (url === '/hang') for (;;);
  if (url === '/hoard') for (;;) held.push(Array.from({ length: 100_000 }, () => asked));
  // Until the test opens its gate.
  if (url === '/wait') Atomics.wait(workerData, 0, 0);
  parentPort.postMessage({
    status: 200,
    headers: { Asked: String(asked) },
    cookies: [],
    body,
    exceededLimits: [],
    milliseconds: 5,
    lines: url === '/log' ? [JSON.stringify({ level: 40, time: 1, pid: 1, hostname: 'h', msg: 'odd', odd: true })] : [],
  });
});
