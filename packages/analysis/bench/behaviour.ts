/**
 * Measures comparisons of two zones with 100 configuration rules for typical changes: `node --import tsx
 * --conditions=@zonewright/source packages/engine/bench/behaviour.ts`.
 */
import { behaviourDiff } from '../src/index.ts';
import { configurationOf, cpuMilliseconds, typicalRules } from './zones.ts';

const rules = typicalRules(100);
const changed = (at: number, change: object) =>
  rules.map((rule, index) => (index === at ? { ...rule, ...change } : rule));
const moved = (from: number, to: number) => {
  const [rule] = rules.slice(from, from + 1);
  return rule === undefined ? rules : rules.toSpliced(from, 1).toSpliced(to, 0, rule);
};

const renamed = (rule: (typeof rules)[number]) => ({ ...rule, id: 'new', settingsOverrides: { minifyHtml: true } });

const cases: readonly (readonly [string, typeof rules])[] = [
  ['nothing', rules],
  ['one override', changed(51, { settingsOverrides: { cachingDefaultTtl: 5000, cachingStaticEnabled: true } })],
  [
    'one condition',
    changed(51, {
      conditions: { logic: 'and', conditions: [{ field: 'uri', operator: 'starts_with', value: '/page-51' }] },
    }),
  ],
  ['a rule moved', moved(31, 71)],
  ['a rule moved without effect', moved(10, 11)],
  ['a rule that stops moved', moved(48, 20)],
  ['a rule removed', rules.toSpliced(50, 1)],
  ['a rule added', [...rules.slice(0, 50), ...rules.slice(51, 52).map(renamed), ...rules.slice(50)]],
];

for (const [name, after] of cases) {
  const [one, other] = [configurationOf(rules), configurationOf(after)];
  const times = Array.from({ length: 3 }, () => cpuMilliseconds(() => behaviourDiff(one, other)));
  const { complete, changes } = behaviourDiff(one, other);
  process.stdout.write(
    `${name}: ${times.map((each) => each.toFixed(0)).join(', ')} ms; ${changes.length} changes, ${complete ? 'complete' : 'not complete'}\n`,
  );
}
