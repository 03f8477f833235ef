import type { Zone } from '../../zones/zones/zone.ts';
import type { PromotionRequest } from './ports.ts';
import type { PromotionDraft } from './promotion-draft.ts';

/** The request for a promotion of the source, of which this is the current revision, into the target. */
export const promotionRequest = (
  { from, fromRevision, title, map, keep }: PromotionDraft,
  source: Pick<Zone, 'revision'>,
  target: Pick<Zone, 'id' | 'revision'>,
): PromotionRequest => ({
  zoneId: target.id,
  from,
  fromRevision: fromRevision ?? source.revision,
  toRevision: target.revision,
  request: JSON.stringify([
    title ?? null,
    sortedEntries(map.backends),
    sortedEntries(map.basicAuthUsers),
    [...new Set(keep)].toSorted(),
  ]),
});

const sortedEntries = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).toSorted(([one], [other]) => (one < other ? -1 : 1));
