import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { ZoneId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { isInScope, silentAfterSeconds } from './edge.ts';
import type { Canary, PendingChange, Rollouts } from './ports.ts';

/** Changes that are decided on at once, and that are noted as current. */
const maxPending = 1000;

/** The zones whose changes edges of the main stage may be offered now. */
export const promotable = (
  pending: readonly PendingChange[],
  canaries: readonly Canary[],
  soakSeconds: number,
): readonly ZoneId[] => pending.filter((change) => isPromotable(change, canaries, soakSeconds)).map(({ id }) => id);

/**
 * Without a connected canary edge that serves the zone, nothing is waited for; otherwise until the last of them has served the
 * change for long enough.
 */
function isPromotable(change: PendingChange, canaries: readonly Canary[], soakSeconds: number): boolean {
  if (change.isHalted) return false;
  const concerned = canaries.filter((canary) => isInScope(canary, change));
  if (concerned.length === 0) return true;
  const { soakedSeconds } = change;
  if (soakedSeconds === undefined || soakedSeconds < soakSeconds) return false;
  return concerned.every(({ applied }) => applied >= change.position);
}

/** Offers edges of the main stage the changes that canary edges have had for long enough, and notes what all edges have. */
export const rollOut =
  ({
    unitOfWork,
    soakSeconds,
  }: { readonly unitOfWork: UnitOfWork<{ readonly rollouts: Rollouts }> } & { readonly soakSeconds: number }) =>
  (): ResultAsync<void, never> =>
    unitOfWork.run((repositories) => rollOutIn(repositories, soakSeconds));

const rollOutIn = ({ rollouts }: { readonly rollouts: Rollouts }, soakSeconds: number): ResultAsync<void, never> =>
  safeTry(async function* () {
    const pending = yield* rollouts.pending(maxPending);
    const canaries = pending.length === 0 ? [] : yield* rollouts.canaries(silentAfterSeconds);
    const zones = promotable(pending, canaries, soakSeconds);
    if (zones.length > 0) yield* rollouts.promote(zones);
    yield* rollouts.noteCurrent(silentAfterSeconds, maxPending);
    return ok();
  });
