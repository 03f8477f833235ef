import type { Sha256 } from '../cache/cache-key.ts';
import { canonicalJson } from '../canonical-json.ts';
import type { Engine } from '../evaluation/engine.ts';
import { failure, type Outcome, success } from '../outcome.ts';
import type { Problem } from '../problem.ts';
import { utf8 } from '../request/bytes.ts';
import { parseFacts } from '../request/facts.ts';

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
