import { ask } from './session.js';

const status = /** @type {HTMLElement} */ (document.getElementById('status'));
const longestWaitSeconds = 30;

/**
 * Asks for something that looks at every request, which may take seconds, and says so. Where all threads are taken, it asks
 * once more.
 * @param {string} path Below `/api/`.
 */
export async function askAnalysis(path) {
  status.textContent = 'Analyzing all requests. This may take a few seconds…';
  let answer = await ask('GET', path);
  if (answer.status === 503) {
    status.textContent = 'The service is busy with other analyses. Waiting for a turn…';
    await pause(Math.min(answer.retryAfterSeconds || 1, longestWaitSeconds));
    answer = await ask('GET', path);
  }
  status.textContent = '';
  return answer;
}

/** @param {number} seconds */
const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
