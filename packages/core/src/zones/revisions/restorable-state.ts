import type { Result } from 'neverthrow';
import { type InvalidInput, requireNone } from '../../kernel/shared/violation.ts';
import {
  decidedHostNames,
  newNames,
  tooManyHostNames,
  withoutRefused,
} from '../../organizations/domains/host-name-rules.ts';
import { claimedIn, takenIds } from '../drafts/draft-check.ts';
import { contentsViolations, namedIn, storedContents, type ZoneContents } from '../drafts/zone-contents.ts';
import { ruleCapacityIn } from '../rules/rule-validity.ts';
import { type Decision, decideWithReferences } from '../zone-changes/decision.ts';
import type { ZoneChange } from '../zone-changes/zone-command.ts';
import type { StateWithLimits } from '../zones/ports.ts';
import type { MissingMode, MissingPart } from './missing-references.ts';
import { knownParts, missingNames, type OldState, withoutMissing } from './without-missing.ts';

/** The restorable part of an old state, and what is missing. */
export interface RestorableState {
  readonly contents: ZoneContents & Required<Pick<ZoneContents, 'claims'>>;
  readonly missing: readonly MissingPart[];
}

/** The change that restores a state, with what it leaves out. */
export interface Restoration extends ZoneChange {
  readonly missing: readonly MissingPart[];
}

/**
 * The host names, settings and rules of an old state. References that no longer resolve (backends, basic-auth users,
 * settings) and host names that the zone cannot have any more are violations at their path, or are skipped. Anything else that is no longer valid is a violation either way. All
 * violations are reported at once.
 */
export const restorable = (
  basis: StateWithLimits,
  old: OldState,
  mode: MissingMode,
): Result<Decision<RestorableState, InvalidInput>, InvalidInput> => {
  const isSkipped = mode === 'skip';
  const { state, limits } = basis;
  const { document, missing } = isSkipped ? knownParts(old.document) : { document: old.document, missing: [] };
  return storedContents(document).andThen((contents) => {
    const claims = claimedIn(contents, state);
    const settings = isSkipped ? [old.replacement, ...namedIn(contents)] : namedIn(contents);
    const hostNames = newNames(contents.hostnames, old.held);
    return decideWithReferences(state, { settings, rules: claims, hostNames }, (referents, resolved) => {
      const decided = decidedHostNames(contents.hostnames, {
        held: old.held,
        limits,
        facts: resolved?.hostNames,
      });
      const wanted = isSkipped ? withoutRefused(decided) : decided.wanted;
      const remainder = isSkipped
        ? withoutMissing(contents, old, referents)
        : { contents, missing: [], violations: [] };
      return requireNone([
        ...(isSkipped ? tooManyHostNames(wanted.names, old.held, limits) : decided.violations),
        ...takenIds(claims, state, resolved),
        ...remainder.violations,
        ...contentsViolations(
          { ...remainder.contents, hostnames: wanted.names },
          { name: old.name, ...ruleCapacityIn(basis) },
          referents,
        ),
      ]).map(() => ({
        contents: { ...remainder.contents, hostnames: wanted.names, claims: wanted.claims },
        missing: [...missing, ...(isSkipped ? missingNames(old.document, decided.refused) : []), ...remainder.missing],
      }));
    });
  });
};
