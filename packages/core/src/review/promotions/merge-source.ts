import { okAsync, type ResultAsync, safeTry } from 'neverthrow';
import { type OrganizationId, RuleId, type ZoneId } from '../../kernel/shared/ids.ts';
import type { Randomness } from '../../kernel/shared/randomness.ts';
import { type InvalidInput, invalidInput, violation } from '../../kernel/shared/violation.ts';
import type { LoadBalancers, OriginServers } from '../../organizations/backends/ports.ts';
import { readBackends } from '../../zones/evaluation/backends.ts';
import type { ZoneHistory } from '../../zones/history/ports.ts';
import type { ZoneDocument } from '../../zones/history/zone-document.ts';
import type { ZoneState } from '../../zones/zones/zone-state.ts';
import { baseDocument, documentOfState } from '../change-sets/change-set-merge.ts';
import type { DraftBasis } from '../change-sets/change-set-write.ts';
import type { NamedBackend } from './mapped-names.ts';
import { mergePromotion, type PromotionMerge } from './merge-promotion.ts';
import type { Promotions } from './ports.ts';
import type { PromotedRevisions } from './promotion.ts';
import type { PromotionDraft } from './promotion-draft.ts';

export interface MergeRepositories {
  readonly history: ZoneHistory;
  readonly loadBalancers: LoadBalancers;
  readonly originServers: OriginServers;
  readonly promotions: Promotions;
}

/** The merge of a source into its target. */
export interface SourceMerge extends PromotionMerge {
  /** The last applied promotion from this source: only later changes are merged. */
  readonly base: PromotedRevisions | undefined;
}

/** Reads everything that a promotion merges, and merges it. */
export const mergeSource = (
  { repositories, state }: DraftBasis<MergeRepositories>,
  source: ZoneState,
  { fromRevision, map, keep }: Pick<PromotionDraft, 'map' | 'keep'> & { readonly fromRevision: number },
  randomness: Randomness,
): ResultAsync<SourceMerge, InvalidInput> =>
  safeTry(async function* () {
    const { id: target, organizationId } = state.zone;
    const earlier = yield* earlierPromotion(repositories, source, target);
    const known = {
      source: yield* promotedDocument(repositories, source, fromRevision),
      earlier: earlier?.document,
      target: documentOfState(state),
      backends: yield* namedBackends(repositories, organizationId, map),
    };
    return mergePromotion(known, { map, keep }, () => RuleId.parse(randomness.uuid())).map((merge) => ({
      ...merge,
      base: earlier?.revisions,
    }));
  });

interface EarlierPromotion {
  readonly revisions: PromotedRevisions;
  /** The document of the source that it promoted. */
  readonly document: ZoneDocument;
}

/** The previous promotion, if any. One of a revision that is no longer kept counts as none (decision 0062). */
const earlierPromotion = (
  repositories: Pick<MergeRepositories, 'history' | 'promotions'>,
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

const promotedDocument = (
  repositories: Pick<MergeRepositories, 'history'>,
  source: ZoneState,
  fromRevision: number,
): ResultAsync<ZoneDocument, InvalidInput> =>
  baseDocument(repositories, source, fromRevision).mapErr(() => invalidInput([noRevision]));

const noRevision = violation('fromRevision', 'revision.unknown', 'The zone has no such revision.');

/** The organization's backends, if any must be resolved by name. */
const namedBackends = (
  repositories: MergeRepositories,
  organization: OrganizationId,
  { backends }: PromotionDraft['map'],
): ResultAsync<readonly NamedBackend[], never> =>
  Object.keys(backends).length === 0
    ? okAsync([])
    : readBackends(repositories, organization).map(({ originServers, loadBalancers }) => [
        ...originServers.map(({ id, name }) => ({ id, name, kind: 'origin_server' as const })),
        ...loadBalancers.map(({ id, name }) => ({ id, name, kind: 'load_balancer' as const })),
      ]);
