/** The requests' part of an edge, with a zone of 100 rules in front of the origin. */
import { createWriteStream } from 'node:fs';
import { compileDelivered, parseIpRange } from '@zonewright/engine';

const built = (path: string): string => new URL(`../../edge/dist/${path}`, import.meta.url).href;
// An app exports nothing: its built files are imported, which have these types.
const { openProxy } = (await import(built('proxying/open-proxy.js'))) as {
  openProxy: (parts: object) => Promise<object>;
};
// As above.
const { requestLog } = (await import(built('log/request-log.js'))) as {
  requestLog: (output: (lines: string) => void) => { write: (entry: object) => void };
};

/** A condition of the usual mix. None matches the request, so all rules are evaluated. */
const conditionOf = (index: number) => {
  const mix = [
    { field: 'uri', operator: 'starts_with', value: `/section-${index}/` },
    { field: 'uri', operator: 'equals', value: `/page-${index}` },
    { field: 'uri', operator: 'matches', value: `^/(?:blog|news)/[0-9]{4}/${index}-[a-z-]+$` },
    { field: 'header', operator: 'contains', target: 'Accept', value: `type-${index}` },
    { field: 'header', operator: 'contains', target: 'Cookie', value: `cookie${index}=` },
    { field: 'ip', operator: 'in', value: `10.${index}.0.0/16\n192.0.2.${index}/32\n198.18.${index}.0/24` },
    { field: 'country', operator: 'in', value: 'DE\nFR\nIT' },
    { field: 'userAgent', operator: 'matches_ci', value: `(?:bot|crawler|spider)${index}` },
    { field: 'host', operator: 'equals', value: `shop${index}.example.com` },
    { field: 'extension', operator: 'in', value: 'css\njs\npng' },
  ] as const;
  return mix[index % mix.length] ?? mix[0];
};

const rules = Array.from({ length: 100 }, (_, index) => ({
  name: `rule ${index}`,
  conditions: {
    logic: 'and',
    conditions: index % 2 === 0 ? [conditionOf(index), conditionOf(index + 3)] : [conditionOf(index)],
  },
  settingsOverrides: { cachingDefaultTtl: index },
}));
const items = Object.fromEntries(rules.map((rule, index) => [`rule${index}`, rule]));
const document = {
  zone_settings: { defaultBackend: { type: 'origin_server', id: 'origin' } },
  configurationRules: { order: Object.keys(items), items },
};
const port = Number(process.env['ORIGIN_PORT']);
const backends = { origin: { kind: 'origin_server', id: 'origin', protocol: 'http', address: '127.0.0.1', port } };
// As above.
const { sha256 } = (await import(built('documents/accepted-zone.js'))) as { sha256: (bytes: string) => string };
const engine = compileDelivered({ document, backends }, { sha256 });
if (!engine.ok) throw new Error(JSON.stringify(engine.error));

const zone = {
  digest: 'sha256:0',
  engine: engine.value,
  document: { zone: { id: 'zone', name: 'zone' }, revision: 1, document, backends, basicAuthUsers: {} },
};
const loopback = parseIpRange('127.0.0.0/8');
if (!loopback.ok) throw new Error(loopback.error.reason);
const output = createWriteStream('/dev/null');
const log = requestLog((lines) => output.write(lines));
await openProxy({
  zones: { find: () => zone },
  facts: { country: () => null, asn: () => null, close: () => undefined },
  record: log.write,
  settings: {
    serviceUrl: 'http://127.0.0.1',
    host: '127.0.0.1',
    port: Number(process.env['PORT']),
    privateHost: '127.0.0.1',
    privatePort: 0,
    trustedProxies: [],
    proxyProtocol: false,
    originNetworks: [loopback.value],
  },
});
