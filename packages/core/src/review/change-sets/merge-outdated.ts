import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { ZoneId } from '../../kernel/shared/ids.ts';
import type { ZoneDocument } from '../../zones/history/zone-document.ts';
import type { ZoneNotFound } from '../../zones/zones/errors.ts';
import type { ChangeSetSummary } from './change-set.ts';
import { conflictsIn } from './change-set-conflicts.ts';
import { mergeOf, stateCharacters } from './change-set-merge.ts';
import type { FoundMerge } from './ports.ts';
import type { ChangeSetRepositories } from './repositories.ts';

/**
 * A list of change sets merges at most this many characters of text; whether more sets conflict is found out by reading
 * them, or by later lists.
 */
const maxMergedCharacters = 2_000_000;

/**
 * Merges the open ones of these change sets that have not been merged with the zone's current revision yet, in their
 * order and within the limit. Nothing is read of those beyond it.
 */
export const mergeOutdated = (
  repositories: ChangeSetRepositories,
  { zone, revision }: { readonly zone: ZoneId; readonly revision: number },
  sets: readonly ChangeSetSummary[],
): ResultAsync<readonly FoundMerge[], ZoneNotFound> =>
  safeTry(async function* () {
    const due = sets.filter(({ status, merge }) => status === 'open' && merge?.zoneRevision !== revision);
    const likely = affordable(due, ({ merge, bytes }) => merge?.characters ?? bytes);
    if (likely.length === 0) return ok([]);
    const state = yield* repositories.zones.state(zone);
    // The base of a set that was never merged counts as being as large as the zone.
    const size = 2 * stateCharacters(state);
    const chosen = affordable(likely, ({ merge, bytes }) => Math.max(merge?.characters ?? 0, bytes + size));
    const read =
      chosen.length === 0
        ? []
        : yield* repositories.changeSets.byIds(
            zone,
            chosen.map(({ id }) => id),
          );
    const bases = new Map<number, ZoneDocument>();
    const found: FoundMerge[] = [];
    for (const set of read.filter(({ status }) => status === 'open')) {
      const base = bases.get(set.base) ?? (yield* mergeOf(repositories, state, set)).base;
      bases.set(set.base, base);
      const { record: merge } = conflictsIn({ set, base, state });
      found.push({ id: set.id, revision: set.revision, merge });
    }
    return ok(found);
  });

/** The first sets whose costs are within the limit together. */
function affordable<S>(sets: readonly S[], cost: (set: S) => number): readonly S[] {
  let left = maxMergedCharacters;
  return sets.filter((set) => {
    const isAffordable = cost(set) <= left;
    if (isAffordable) left -= cost(set);
    return isAffordable;
  });
}
