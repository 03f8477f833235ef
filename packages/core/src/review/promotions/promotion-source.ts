import { err, ok, type ResultAsync, safeTry } from 'neverthrow';
import type { ZoneId } from '../../kernel/shared/ids.ts';
import { type ExpectedVersions, requireVersion } from '../../kernel/shared/version.ts';
import { type InvalidInput, invalidInput, violation } from '../../kernel/shared/violation.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import { type AccessDenied, mayIn, reachesZone } from '../../organizations/access/permissions.ts';
import type { ZoneHead, Zones } from '../../zones/zones/ports.ts';
import { type Zone, zoneVersion } from '../../zones/zones/zone.ts';
import type { ZoneState } from '../../zones/zones/zone-state.ts';
import { type SourceChanged, sourceChanged } from './errors.ts';

/**
 * The source zone without its contents: another zone of the target's organization, in an expected version. Nothing else
 * of other zones is read.
 */
export const sourceOf = (
  { zones }: { readonly zones: Zones },
  caller: Caller,
  target: Zone,
  from: ZoneId,
  expected: ExpectedVersions,
): ResultAsync<ZoneHead, AccessDenied | SourceChanged | InvalidInput> =>
  safeTry(async function* () {
    if (from === target.id) return err(invalidInput([itself]));
    if (!reachesZone(caller, from)) return err(invalidInput([elsewhere]));
    const source = yield* zones.head(from).mapErr(() => invalidInput([elsewhere]));
    if (source.organizationId !== target.organizationId) return err(invalidInput([elsewhere]));
    yield* mayIn(caller, target.organizationId, 'zones.read');
    yield* requireVersion(expected, zoneVersion(source)).mapErr(sourceChanged);
    return ok(source);
  });

/** The source with its contents, unless it has changed since its head was read. */
export const wholeSource = (
  { zones }: { readonly zones: Zones },
  from: ZoneId,
  { revision }: ZoneHead,
): ResultAsync<ZoneState | 'changed', InvalidInput> =>
  zones
    .state(from)
    .map((state) => (state.zone.revision === revision ? state : ('changed' as const)))
    .mapErr(() => invalidInput([elsewhere]));

const itself = violation('from', 'promotion.self', 'A zone cannot be promoted into itself.');
/** Zones of others and zones that do not exist are refused alike. */
const elsewhere = violation('from', 'promotion.organization', 'The organization of the zone has no such zone.');
