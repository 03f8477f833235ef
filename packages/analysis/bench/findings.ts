/**
 * Measures the findings of a zone with 100 typical configuration rules, every tenth of which stops, with an empty
 * cache: `node --import tsx --conditions=@zonewright/source packages/engine/bench/findings.ts`.
 */
import { AnalysisCache, defaultBudget, findings } from '../src/index.ts';
import { configurationOf, cpuMilliseconds, typicalRules } from './zones.ts';

const configuration = configurationOf(typicalRules(100));
const times = Array.from({ length: 7 }, () => cpuMilliseconds(() => findings(configuration)));
const { complete, findings: found } = findings(configuration);
const [first = 0] = times;
const median = times.toSorted((one, other) => one - other)[3] ?? 0;
process.stdout.write(
  `findings of 100 rules: first ${first.toFixed(0)} ms, then ${median.toFixed(0)} ms; ${found.length} found, ${complete ? 'complete' : 'not complete'}\n`,
);

const cache = new AnalysisCache();
findings(configuration, defaultBudget, cache);
const rules = typicalRules(100);
const writes = Array.from({ length: 60 }, (_, write) => {
  const at = (write * 37) % rules.length;
  const value = write % 2 === 0 ? `/new-${write}/` : `/other/${write}`;
  const conditions = { logic: 'and', conditions: [{ field: 'uri', operator: 'starts_with', value }] };
  return configurationOf(rules.map((rule, index) => (index === at ? { ...rule, conditions } : rule)));
});
const afterwards = writes.map((each) => cpuMilliseconds(() => findings(each, defaultBudget, cache)));
const ascending = afterwards.slice(-40).toSorted((one, other) => one - other);
process.stdout.write(
  `after one write: median ${ascending[20]?.toFixed(0)} ms, 9 of 10 below ${ascending[36]?.toFixed(0)} ms\n`,
);
