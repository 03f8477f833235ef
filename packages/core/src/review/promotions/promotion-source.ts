import { err, ok, okAsync, type ResultAsync, safeTry } from 'neverthrow';
import type { ZoneId } from '../../kernel/shared/ids.ts';
import { type ExpectedVersions, requireVersion } from '../../kernel/shared/version.ts';
import { type InvalidInput, invalidInput, violation } from '../../kernel/shared/violation.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import { type AccessDenied, mayIn, reachesZone } from '../../organizations/access/permissions.ts';
import type { ZoneHistory } from '../../zones/history/ports.ts';
import type { ZoneDocument } from '../../zones/history/zone-document.ts';
import type { ZoneHead, Zones } from '../../zones/zones/ports.ts';
import { type Zone, zoneVersion } from '../../zones/zones/zone.ts';
import type { ZoneState } from '../../zones/zones/zone-state.ts';
import { baseDocument } from '../change-sets/change-set-merge.ts';
import { type SourceChanged, sourceChanged } from './errors.ts';
import type { Promotions } from './ports.ts';
import type { PromotedRevisions } from './promotion.ts';

interface Repositories {
  readonly history: ZoneHistory;
  readonly promotions: Promotions;
  readonly zones: Zones;
}

/**
 * The source zone without its contents: another zone of the target's organization, in an expected version. Nothing else
 * of other zones is read.
 */
export const sourceOf = (
  { zones }: Pick<Repositories, 'zones'>,
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
  { zones }: Pick<Repositories, 'zones'>,
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

/** The document of the source at the promoted revision. */
export const promotedDocument = (
  repositories: Repositories,
  source: ZoneState,
  fromRevision: number,
): ResultAsync<ZoneDocument, InvalidInput> =>
  baseDocument(repositories, source, fromRevision).mapErr(() => invalidInput([noRevision]));

const noRevision = violation('fromRevision', 'revision.unknown', 'The zone has no such revision.');

/** An earlier promotion, with the document of the source that it promoted. */
export interface EarlierPromotion {
  readonly revisions: PromotedRevisions;
  readonly document: ZoneDocument;
}

/** The previous promotion, if any. One of a revision that is no longer kept counts as none (decision 0062). */
export const earlierPromotion = (
  repositories: Pick<Repositories, 'history' | 'promotions'>,
  source: ZoneState,
  target: ZoneId,
): ResultAsync<EarlierPromotion | undefined, never> =>
  repositories.promotions.lastApplied(target, source.zone.id).andThen((last) => {
    if (last === undefined) return okAsync(undefined);
    const { fromRevision, toRevision } = last;
    return baseDocument(repositories, source, fromRevision)
      .map((document) => ({ revisions: { fromRevision, toRevision }, document }))
      .orElse(() => okAsync(undefined));
  });
