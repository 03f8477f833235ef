import type { Result } from 'neverthrow';
import { claimedIn, takenIds } from '../drafts/draft-check.ts';
import { contentsViolations, namedIn, storedContents, type ZoneContents } from '../drafts/zone-contents.ts';
import { ruleCapacityIn } from '../rules/rule-validity.ts';
import { type InvalidInput, requireNone } from '../shared/violation.ts';
import { type Decision, decideWithReferences } from '../zone-changes/decision.ts';
import type { ZoneChange } from '../zone-changes/zone-command.ts';
import type { StateWithLimits } from '../zones/ports.ts';
import type { MissingMode, MissingPart } from './missing-references.ts';
import { knownSettings, type OldState, withoutMissing } from './without-missing.ts';

/** The restorable part of an old state, and what is missing. */
export interface RestorableState {
  readonly contents: ZoneContents;
  readonly missing: readonly MissingPart[];
}

/** The change that restores a state, with what it leaves out. */
export interface Restoration extends ZoneChange {
  readonly missing: readonly MissingPart[];
}

/**
 * The settings and rules of an old state. References that no longer resolve (backends, basic-auth users, settings) are
 * violations at their path, or are skipped. Anything else that is no longer valid is a violation either way. All
 * violations are reported at once.
 */
export const restorable = (
  basis: StateWithLimits,
  old: OldState,
  mode: MissingMode,
): Result<Decision<RestorableState, InvalidInput>, InvalidInput> => {
  const isSkipped = mode === 'skip';
  const { document, missing } = isSkipped ? knownSettings(old.document) : { document: old.document, missing: [] };
  return storedContents(document).andThen((contents) => {
    const claims = claimedIn(contents, basis.state);
    const named = isSkipped ? [old.replacement, ...namedIn(contents)] : namedIn(contents);
    return decideWithReferences(basis.state, { settings: named, rules: claims }, (referents, resolved) => {
      const remainder = isSkipped
        ? withoutMissing(contents, old, referents)
        : { contents, missing: [], violations: [] };
      return requireNone([
        ...takenIds(claims, basis.state, resolved),
        ...remainder.violations,
        ...contentsViolations(remainder.contents, { name: old.name, ...ruleCapacityIn(basis) }, referents),
      ]).map(() => ({ contents: remainder.contents, missing: [...missing, ...remainder.missing] }));
    });
  });
};
