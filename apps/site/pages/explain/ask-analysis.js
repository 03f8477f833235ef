import { ask } from '../session.js';

const status = /** @type {HTMLElement} */ (document.getElementById('status'));
const longestWaitSeconds = 30;
/** How often a busy server is asked again. */
const maxRepetitions = 5;

/**
 * Requests an analysis of all requests, showing that it may take seconds. Asks again while the server is busy, when it
 * says so.
 * @param {string} path Below `/api/`.
 */
export async function requestAnalysis(path) {
  status.textContent = 'Analysing all requests. This may take a few seconds…';
  let answer = await ask('GET', path);
  for (let repetition = 0; answer.status === 503 && repetition < maxRepetitions; repetition += 1) {
    status.textContent = 'The service is busy with other analyses. Waiting…';
    await pause(Math.min(answer.retryAfterSeconds || 1, longestWaitSeconds));
    answer = await ask('GET', path);
  }
  status.textContent = '';
  return answer;
}

/** @param {number} seconds */
const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
