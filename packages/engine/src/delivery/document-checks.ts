import type { Sha256 } from '../cache/cache-key.ts';
import { canonicalJson } from '../canonical-json.ts';
import type { Engine } from '../evaluation/engine.ts';
import { failure, type Outcome, success } from '../outcome.ts';
import { utf8 } from '../request/bytes.ts';
import { parseFacts } from '../request/facts.ts';
import type { Problem } from '../shapes.ts';
import { workPerMillisecond } from '../work.ts';
import { compileDelivered, type DeliveredConfiguration } from './stored-configuration.ts';

/** A request, and the digest of what the engine answers to it: 64 hexadecimal digits. */
export interface DocumentCheck {
  readonly request: Readonly<Record<string, unknown>>;
  readonly sha256: string;
}

/** The part of an edge document that decides what it does. */
export interface CheckedConfiguration extends DeliveredConfiguration {
  readonly hostnames: readonly string[];
}

/** Checks in one document. */
const maxChecks = 20;
/** Work for all checks of a document; a request that needs more than is left makes no check. */
const maxWork = 20 * workPerMillisecond;
/** Longer texts of conditions make no request. */
const maxPath = 500;

/** The checks of a document, by which an edge notices that its engine gives other answers. */
export function checksOf(configuration: CheckedConfiguration, sha256: Sha256): readonly DocumentCheck[] {
  const engine = compileDelivered(configuration, { sha256, isValidated: true });
  if (!engine.ok) return [];
  let left = maxWork;
  return requestsFor(configuration).flatMap((request) => {
    const facts = parseFacts(request);
    if (!facts.ok) return [];
    const { evaluation, work } = engine.value.evaluateWithin(left, facts.value);
    left -= work;
    return evaluation === undefined ? [] : [{ request, sha256: jsonDigest(evaluation, sha256) }];
  });
}

/** The SHA-256 of a JSON value in canonical form, in lower-case hexadecimal. */
export const jsonDigest = (value: unknown, sha256: Sha256): string => sha256(utf8(canonicalJson(value)));

/**
 * The digest of what an engine answers to a request. Two engines that name rules and backends by their ids have the same
 * digests if and only if they give the same answers.
 */
export function evaluationDigest(
  engine: Engine,
  request: unknown,
  sha256: Sha256,
): Outcome<string, readonly Problem[]> {
  const facts = parseFacts(request);
  return facts.ok ? success(jsonDigest(engine.evaluate(facts.value), sha256)) : failure(facts.error);
}

const clients = [
  { ip: '192.0.2.1', country: 'DE', asn: 64_496 },
  { ip: '2001:db8::1', country: 'US', asn: 64_511 },
];

/** Requests for the paths that the document speaks of, and for a few others. */
function requestsFor({ document, hostnames }: CheckedConfiguration): readonly DocumentCheck['request'][] {
  const [host = 'check.example'] = hostnames.map((name) => name.replace(/^\*/, 'check'));
  const paths = [...new Set(['/', '/index.html?a=1&b=2', '/images/a.png', ...pathsIn(document)])];
  return paths.slice(0, maxChecks).map((path, index) => ({
    url: `${index % 4 === 3 ? 'http' : 'https'}://${host}${path}`,
    method: index % 5 === 4 ? 'POST' : 'GET',
    headers: [{ name: 'User-Agent', value: 'Mozilla/5.0' }],
    ...clients[index % clients.length],
  }));
}

/** The texts in conditions that look like paths. */
function pathsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(pathsIn);
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(pathsIn);
  return typeof value === 'string' && value.length <= maxPath && /^\/[\w./~-]*$/.test(value) ? [value] : [];
}
