import type { Configuration } from '@zonewright/engine';
import { isAmbiguousPath } from '@zonewright/engine/internals';
import type { Clauses } from '../solver/clauses.ts';
import { looksAtPath, opposite, type Predicates } from '../solver/predicates.ts';
import { replacementOf } from '../texts/rewrite-replacement.ts';
import type { AnalysedRules } from './analysed-rules.ts';

/** Which requests there are: what holds for every one of them, as far as questions look at the path. */
export interface RequestDomain {
  /** Different for domains that are not equal. */
  readonly name: string;
  readonly clauses: Clauses;
}

/** The clauses, and what holds for every request of the domain. */
export const within = ({ clauses: domain }: RequestDomain, clauses: Clauses): Clauses =>
  domain.length > 0 && clauses.some((clause) => clause.some(looksAtPath)) ? [...clauses, ...domain] : clauses;

/** All requests, by RFC 3986 alone. */
export const everyRequest: RequestDomain = { name: '', clauses: [] };

/** Requests whose paths have no slashes to merge. */
export const mergedRequests = (predicates: Predicates): RequestDomain => ({
  name: 'merged ',
  clauses: [[opposite(predicates.ofSlashRuns())]],
});

/** Requests of clients, if slashes are merged and ambiguous paths refused. */
export const clearRequests = (predicates: Predicates): RequestDomain => ({
  name: 'clear ',
  clauses: [...mergedRequests(predicates).clauses, [opposite(predicates.ofAmbiguousPath())]],
});

/** The requests of clients, and those that configuration rules see. */
export interface ZoneDomains {
  readonly client: RequestDomain;
  readonly rewritten: RequestDomain;
}

/** The domains of a configuration. */
export function domainsOf(
  { settings: { pathNormalization } }: Configuration,
  { rewriteRules }: AnalysedRules,
  predicates: Predicates,
): ZoneDomains {
  if (pathNormalization === 'rfc3986') return { client: everyRequest, rewritten: everyRequest };
  const client = clearRequests(predicates);
  // Only requests of clients are refused: a target may have such a path, or groups may add up to one.
  const mayBeAmbiguous = rewriteRules.some(({ content }) => {
    if (content.type === 'redirect') return false;
    const replacement = replacementOf(content, pathNormalization);
    return replacement === undefined || isAmbiguousPath(replacement.path);
  });
  return { client, rewritten: mayBeAmbiguous ? mergedRequests(predicates) : client };
}
