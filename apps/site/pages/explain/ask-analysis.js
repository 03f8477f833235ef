import { ask } from './session.js';

const status = /** @type {HTMLElement} */ (document.getElementById('status'));
const longestWaitSeconds = 30;

/**
 * Requests an analysis of all requests, showing that it may take seconds. Retries once when the server is busy.
 * @param {string} path Below `/api/`.
 */
export async function requestAnalysis(path) {
  status.textContent = 'Analysing all requests. This may take a few seconds…';
  let answer = await ask('GET', path);
  if (answer.status === 503) {
    status.textContent = 'The service is busy with other analyses. Waiting…';
    await pause(Math.min(answer.retryAfterSeconds || 1, longestWaitSeconds));
    answer = await ask('GET', path);
  }
  status.textContent = '';
  return answer;
}

/** @param {number} seconds */
const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
