import { canonicalJson, compileDelivered, evaluationDigest } from '@zonewright/engine';
import { digestOf, sha256 } from '../../src/documents/accepted-zone.ts';

type Members = Readonly<Record<string, unknown>>;

/** A zone as a test describes it. */
export interface ZoneDraft {
  readonly id: string;
  readonly revision?: number;
  readonly hostnames?: readonly string[];
  /** Members of the zone's document, in place of the usual ones. */
  readonly document?: Members;
  readonly checks?: readonly { readonly request: Members; readonly sha256: string }[];
  /** Members of the edge document, in place of the usual ones. */
  readonly more?: Members;
}

/** A document as the service would make it. */
export interface MadeDocument {
  readonly digest: string;
  readonly bytes: Buffer;
}

const originId = '0190a000-0000-7000-8000-000000000001';
const backends = {
  [originId]: {
    kind: 'origin_server',
    id: originId,
    organization: '/api/organizations/1',
    name: 'Origin',
    protocol: 'http',
    address: '192.0.2.10',
    port: 80,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
  },
};

/** A list of rules, as a zone document has it. */
export const listOf = (rules: readonly Members[]): Members => ({
  order: rules.map((_, index) => `rule-${index}`),
  items: Object.fromEntries(rules.map((rule, index) => [`rule-${index}`, { name: `Rule ${index}`, ...rule }])),
});

/** A condition on all requests that `field operator value` describes. */
export const when = (field: string, operator: string, value: string): Members => ({
  logic: 'and',
  conditions: [{ field, operator, value }],
});

const everything = { operator: 'starts_with', sourcePattern: '/', preserveQueryString: false };

/** The edge document of a zone, which redirects all requests to an address with its revision, with a check that this version passes. */
export function documentOf({ id, revision = 1, hostnames, document, checks, more }: ZoneDraft): MadeDocument {
  const content = {
    name: id,
    tag: 'prod',
    zone_settings: { defaultBackend: { type: 'origin_server', id: originId } },
    rewriteRules: listOf([{ type: 'redirect', ...everything, target: `https://revision.example/${revision}` }]),
    configurationRules: listOf([]),
    accessRules: listOf([]),
    securityScenarios: listOf([]),
    basicAuthUsers: {},
    ...document,
  };
  return made({
    format: 1,
    semantics: 2,
    zone: { id, name: id, tag: 'prod', organization: '/api/organizations/1' },
    revision,
    hostnames: hostnames ?? [`${id}.example`],
    document: content,
    backends,
    basicAuthUsers: {},
    checks: checks ?? checksOf(content),
    ...more,
  });
}

/** Bytes and their digest. */
export function made(value: unknown): MadeDocument {
  const bytes = Buffer.from(typeof value === 'string' ? value : canonicalJson(value));
  return { bytes, digest: digestOf(bytes) };
}

const request = { url: 'https://a.example/x?y=1', ip: '192.0.2.1', headers: [{ name: 'Cookie', value: 'a=b' }] };

function checksOf(document: Members) {
  const engine = compileDelivered({ document, backends }, { sha256 });
  if (!engine.ok) return [];
  const digest = evaluationDigest(engine.value, request, sha256);
  return digest.ok ? [{ request, sha256: digest.value }] : [];
}
