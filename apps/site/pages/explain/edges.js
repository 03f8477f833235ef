import { ask } from '../session.js';

/** Seconds after which the counts are read again, if edges are still behind. */
const wait = 2;
/** After ten minutes nobody is watching any more. */
const maxReads = 300;

/**
 * Shows how many edges have a revision, until all that are connected have applied or rejected it, or the text is gone.
 * @param {string} zone The id of the zone.
 * @param {number} revision
 * @param {HTMLElement} output
 * @returns {Promise<void>}
 */
export async function followDelivery(zone, revision, output) {
  for (let reads = 0; reads < maxReads && (reads === 0 || output.isConnected); reads += 1) {
    const query = reads === 0 ? '' : `&wait=${wait}`;
    const answer = await ask('GET', `zones/${zone}/delivery?revision=${revision}${query}`);
    output.textContent = answer.ok
      ? sentence(answer.body)
      : 'Which edges have it is unknown: the service cannot be asked.';
    if (!answer.ok || answer.body.edges.behind === 0) return;
  }
}

/**
 * @typedef {object} Delivery
 * @property {Record<'total' | 'current' | 'rejected' | 'silent', number>} edges
 * @property {true} [halted]
 * @property {readonly { edge: string, message: string }[]} problems
 */

/**
 * Empty where there are no edges.
 * @param {Delivery} delivery
 */
function sentence({ edges: { total, current, rejected, silent }, halted, problems: [problem] }) {
  if (total === 0) return '';
  const exceptions = [
    ...(rejected > 0 ? [`${rejected} rejected it`] : []),
    ...(silent > 0 ? [`${silent} ${silent === 1 ? 'is' : 'are'} silent`] : []),
    ...(halted === true ? ['it goes no further than the canary edges'] : []),
  ];
  const counts = `In effect on ${current} of ${total} ${total === 1 ? 'edge' : 'edges'}`;
  const first = problem === undefined ? '' : ` ${problem.edge}: ${problem.message}`;
  return `${[counts, ...exceptions].join('; ')}.${first}`;
}
