import { type Configuration, parseConfiguration } from '@zonewright/engine';

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

/** A typical configuration rule; every tenth one stops. */
export const typicalRule = (index: number) => ({
  id: `rule-${index}`,
  name: `Rule ${index}`,
  conditions: { logic: 'and', conditions: [condition(index), ...(index % 2 === 0 ? [condition(index + 3)] : [])] },
  settingsOverrides: { cachingDefaultTtl: index, cachingStaticEnabled: true } as Record<string, unknown>,
  stopOnMatch: index % 10 === 8,
});

/** Typical configuration rules. */
export const typicalRules = (count: number) => Array.from({ length: count }, (_, index) => typicalRule(index));

/** The configuration with these configuration rules. */
export function configurationOf(rules: readonly ReturnType<typeof typicalRule>[]): Configuration {
  const document = {
    zone_settings: { cachingDynamicEnabled: true, defaultBackend: { type: 'origin_server', id: 'o' } },
    configurationRules: {
      order: rules.map(({ id }) => id),
      items: Object.fromEntries(rules.map((rule) => [rule.id, rule])),
    },
  };
  const backends = { originServers: [{ id: 'o', protocol: 'https', address: 'origin.example.net', port: 443 }] };
  const parsed = parseConfiguration(document, backends);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value;
}

/** CPU time of a call in milliseconds: wall-clock time would include other processes. */
export function cpuMilliseconds(run: () => void): number {
  const started = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}
