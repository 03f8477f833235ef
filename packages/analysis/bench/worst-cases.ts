import { threadClock } from '@zonewright/gate';
/**
 * Measures the processor time of questions about the most expensive zones within the limits, as threads answer them: `node
 * --import tsx --conditions=@zonewright/source packages/analysis/bench/worst-cases.ts [name]`. Fails if one takes more than
 * a tenth longer than the 2 s it may.
 */
import { answerer } from '../src/threads/answers.ts';
import { questionAbout, worstCases } from '../test/worst-cases.ts';

const longest = 2200;
const [wanted = ''] = process.argv.slice(2);
const now = threadClock();

for (const [name, draft] of Object.entries(worstCases).filter(([each]) => each.includes(wanted))) {
  const [before, after] = [questionAbout(draft, 0), questionAbout(draft, 1)];
  for (const [kind, ask] of Object.entries({
    findings: () => answerer(now)('findings', before),
    behaviour: () => answerer(now)('behaviour', { before, after }),
  })) {
    const began = now();
    const { complete } = ask();
    const took = now() - began;
    const megabytes = Math.round(process.memoryUsage().arrayBuffers / 2 ** 20);
    process.stdout.write(
      `${name}, ${kind}: ${took.toFixed(0)} ms, ${complete ? 'complete' : 'not complete'}, ${megabytes} MiB of arrays\n`,
    );
    if (took > longest) process.exitCode = 1;
  }
}
