/**
 * How long the findings of a zone with 100 configuration rules of the usual mix, every tenth of which stops, take when
 * nothing is known yet: `node --import tsx --conditions=@zonewright/source packages/engine/bench/findings.ts`.
 */
import { findings, parseConfiguration } from '../src/index.ts';

const condition = (index: number): Record<string, string> => {
  const mix = [
    { field: 'uri', operator: 'starts_with', value: `/section-${index}/` },
    { field: 'uri', operator: 'equals', value: `/page-${index}` },
    { field: 'uri', operator: 'matches', value: `^/(?:blog|news)/[0-9]{4}/${index}-[a-z-]+$` },
    { field: 'header', operator: 'contains', target: 'Accept', value: `type-${index}` },
    { field: 'cookie', operator: 'exists', target: `cookie${index}` },
    { field: 'ip', operator: 'in', value: `10.${index}.0.0/16\n192.0.2.${index}\n2001:db8:${index}::/48` },
    { field: 'country', operator: 'in', value: 'DE\nFR\nIT' },
    { field: 'userAgent', operator: 'matches_ci', value: `(?:bot|crawler|spider)${index}` },
    { field: 'host', operator: 'equals', value: `shop${index}.example.com` },
    { field: 'extension', operator: 'in', value: 'css\njs\npng' },
  ];
  return mix[index % mix.length] ?? {};
};

const rules = Array.from({ length: 100 }, (_, index) => [
  `rule-${index}`,
  {
    name: `Rule ${index}`,
    conditions: { logic: 'and', conditions: [condition(index), ...(index % 2 === 0 ? [condition(index + 3)] : [])] },
    settingsOverrides: { cachingDefaultTtl: index, cachingStaticEnabled: true },
    stopOnMatch: index % 10 === 8,
  },
]);
const document = {
  zone_settings: { cachingDynamicEnabled: true, defaultBackend: { type: 'origin_server', id: 'o' } },
  configurationRules: { order: rules.map(([id]) => id), items: Object.fromEntries(rules) as unknown },
};
const backends = { originServers: [{ id: 'o', protocol: 'https', address: 'origin.example.net', port: 443 }] };

const parsed = parseConfiguration(document, backends);
if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
const configuration = parsed.value;
const times = Array.from({ length: 7 }, () => {
  // Not the clock on the wall: other programs may take turns.
  const started = process.cpuUsage();
  findings(configuration);
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
});
const { complete, findings: found } = findings(configuration);
const [first = 0] = times;
const median = times.toSorted((one, other) => one - other)[3] ?? 0;
process.stdout.write(
  `findings of 100 rules: first ${first.toFixed(0)} ms, then ${median.toFixed(0)} ms; ${found.length} found, ${complete ? 'complete' : 'not complete'}\n`,
);
