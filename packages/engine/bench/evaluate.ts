/**
 * How long a zone with 100 configuration rules of the usual mix takes: `node --import tsx
 * --conditions=@zonewright/source packages/engine/bench/evaluate.ts`. Compiling includes reading the document.
 */
import { compile, parseConfiguration, parseFacts } from '../src/index.ts';

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
  },
]);
const document = {
  zone_settings: { cachingDynamicEnabled: true, defaultBackend: { type: 'origin_server', id: 'o' } },
  configurationRules: { order: rules.map(([id]) => id), items: Object.fromEntries(rules) as unknown },
};
const backends = { originServers: [{ id: 'o', protocol: 'https', address: 'origin.example.net', port: 443 }] };
const facts = parseFacts({
  url: 'https://www.example.com/blog/2024/17-a-long-title-of-a-post?utm_source=letter&page=2&sort=date',
  ip: '198.51.100.7',
  country: 'US',
  asn: 64500,
  headers: [
    { name: 'User-Agent', value: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0' },
    { name: 'Accept', value: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' },
    { name: 'Accept-Language', value: 'en-US,en;q=0.5' },
    { name: 'Cookie', value: 'session=0123456789abcdef; lang=en; theme=dark' },
  ],
});

const median = (times: number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

const timed = (rounds: number, work: () => void): number =>
  median(
    Array.from({ length: rounds }, () => {
      // Not the clock on the wall: other programs may take turns.
      const started = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(started);
      return (user + system) / 1000;
    }),
  );

const engineOf = () => {
  const configuration = parseConfiguration(document, backends);
  if (!configuration.ok) throw new Error(JSON.stringify(configuration.error));
  return compile(configuration.value);
};

const started = performance.now();
const engine = engineOf();
const first = performance.now() - started;
if (!facts.ok) throw new Error(JSON.stringify(facts.error));
const request = facts.value;
const batch = 1000;
const each = timed(30, () => {
  for (let round = 0; round < batch; round += 1) engine.evaluate(request);
});
const compiled = timed(30, () => engineOf());
process.stdout.write(
  `compile ${compiled.toFixed(2)} ms (first ${first.toFixed(2)} ms), evaluate ${((1000 * each) / batch).toFixed(1)} µs\n`,
);
