/** A program of a thread that does what `document.task` says; its answers number the questions that the thread got. */
import { parentPort } from 'node:worker_threads';

let asked = 0;

parentPort.on('message', (text) => {
  const [, { document }] = JSON.parse(text);
  asked += 1;
  const held = [];
  while (document.task === 'hang');
  while (document.task === 'hoard') held.push(Array.from({ length: 100_000 }, () => asked));
  if (document.task === 'fail') parentPort.postMessage({ defect: 'It failed.' });
  else parentPort.postMessage({ answer: { complete: true, findings: [], asked }, size: 100 });
});
