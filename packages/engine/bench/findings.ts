/**
 * How long the findings of a zone with 100 configuration rules of the usual mix, every tenth of which stops, take when
 * nothing is known yet: `node --import tsx --conditions=@zonewright/source packages/engine/bench/findings.ts`.
 */
import { findings } from '../src/index.ts';
import { configurationOf, cpuMilliseconds, usualRules } from './zones.ts';

const configuration = configurationOf(usualRules(100));
const times = Array.from({ length: 7 }, () => cpuMilliseconds(() => findings(configuration)));
const { complete, findings: found } = findings(configuration);
const [first = 0] = times;
const median = times.toSorted((one, other) => one - other)[3] ?? 0;
process.stdout.write(
  `findings of 100 rules: first ${first.toFixed(0)} ms, then ${median.toFixed(0)} ms; ${found.length} found, ${complete ? 'complete' : 'not complete'}\n`,
);
