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
    if (!answer.ok || answer.body.edges.total === 0) return;
    output.textContent = sentence(answer.body);
    if (answer.body.edges.behind === 0) return;
  }
}

/**
 * @param {{ edges: Record<'total' | 'current' | 'rejected' | 'silent', number>, halted?: true, problems: { message: string }[] }} delivery
 */
function sentence({ edges: { total, current, rejected, silent }, halted, problems }) {
  const [problem] = problems;
  const parts = [
    `${current} of ${total} ${total === 1 ? 'edge' : 'edges'}`,
    ...(rejected > 0 ? [`${rejected} rejected`] : []),
    ...(silent > 0 ? [`${silent} silent`] : []),
    ...(halted === true ? ['halted'] : []),
  ];
  return `Delivered to ${parts.join(', ')}.${problem === undefined ? '' : ` ${problem.message}`}`;
}
