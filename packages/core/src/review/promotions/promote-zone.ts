import { ok, okAsync, type ResultAsync, safeTry } from 'neverthrow';
import { ChangeSetId, PromotionId, RuleId, type ZoneId } from '../../kernel/shared/ids.ts';
import { jsonDocument } from '../../kernel/shared/json.ts';
import type { Randomness } from '../../kernel/shared/randomness.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../../kernel/shared/version.ts';
import type { InvalidInput } from '../../kernel/shared/violation.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import type { AccessDenied } from '../../organizations/access/permissions.ts';
import type { AuditLog } from '../../organizations/audit/ports.ts';
import { record } from '../../organizations/audit/record.ts';
import type { LoadBalancers, OriginServers } from '../../organizations/backends/ports.ts';
import type { StorageQuotas } from '../../organizations/organizations/ports.ts';
import { requireStorage } from '../../organizations/organizations/storage-quota.ts';
import { readBackends } from '../../zones/evaluation/backends.ts';
import type { ZoneHistory } from '../../zones/history/ports.ts';
import type { ZoneChanges } from '../../zones/zone-changes/ports.ts';
import type { LockedZone } from '../../zones/zone-changes/zone-facts.ts';
import type { Zones } from '../../zones/zones/ports.ts';
import { type Zone, zoneVersion } from '../../zones/zones/zone.ts';
import type { ZoneAccessError } from '../../zones/zones/zone-access.ts';
import type { ZoneState } from '../../zones/zones/zone-state.ts';
import {
  bytesOfChangeSet,
  type ChangeSetContent,
  ChangeSetDescription,
  ChangeSetTitle,
} from '../change-sets/change-set.ts';
import { findConflicts } from '../change-sets/change-set-conflicts.ts';
import { documentOfState } from '../change-sets/change-set-merge.ts';
import { type DecidedWrite, type DraftBasis, mayDraft, writeDraft } from '../change-sets/change-set-write.ts';
import { added } from '../change-sets/create-change-set.ts';
import type { ChangeSets, NewChangeSet } from '../change-sets/ports.ts';
import { contentOf } from '../change-sets/write-content.ts';
import { borrowedContent } from './borrowed-content.ts';
import type { SourceChanged } from './errors.ts';
import type { NamedBackend } from './mapped-names.ts';
import { mergePromotion, type PromotionMerge } from './merge-promotion.ts';
import type { PromotionRequest, Promotions } from './ports.ts';
import type { PromotedChanges, Promotion, ReportedChanges } from './promotion.ts';
import { bytesOfPromotion } from './promotion.ts';
import type { PromotionDraft } from './promotion-draft.ts';
import {
  type EarlierPromotion,
  earlierPromotion,
  promotedDocument,
  sourceOf,
  wholeSource,
} from './promotion-source.ts';

interface Repositories {
  readonly auditLog: AuditLog;
  readonly changeSets: ChangeSets;
  readonly history: ZoneHistory;
  readonly loadBalancers: LoadBalancers;
  readonly originServers: OriginServers;
  readonly promotions: Promotions;
  readonly storageQuotas: StorageQuotas;
  readonly zoneChanges: ZoneChanges;
  readonly zones: Zones;
}

/** The result of a promotion: a new change set, an existing one, or nothing because there was nothing to promote. */
export type PromotionOutcome =
  | { readonly kind: 'made' | 'repeated'; readonly promotion: Promotion }
  | { readonly kind: 'nothing'; readonly promotion: PromotedChanges & ReportedChanges };

export type PromoteZone = (
  caller: Caller,
  zone: ZoneId,
  draft: PromotionDraft,
  expected: { readonly target: ExpectedVersions; readonly source: ExpectedVersions },
) => ResultAsync<PromotionOutcome, ZoneAccessError | VersionMismatch | SourceChanged | InvalidInput>;

interface Dependencies {
  readonly unitOfWork: UnitOfWork<Repositories>;
  readonly randomness: Randomness;
}

/**
 * Creates a change set that brings another zone's changes to this one; nothing is applied. While the set is open, the
 * same request returns it again: it is stored while the zone is locked, so of concurrent equal requests only one creates
 * it.
 */
export const promoteZone =
  ({ unitOfWork, randomness }: Dependencies): PromoteZone =>
  (caller, zoneId, draft, expected) =>
    writeDraft(unitOfWork, caller, zoneId, (basis) =>
      safeTry(async function* () {
        const { repositories, state } = basis;
        yield* requireVersion(expected.target, zoneVersion(state.zone));
        const head = yield* sourceOf(repositories, caller, state.zone, draft.from, expected.source);
        const request = requestOf(draft, { ...head, id: draft.from }, state.zone);
        const same = yield* repositories.promotions.openLike(request);
        if (same !== undefined) return ok(unchanging({ kind: 'repeated', promotion: same }));
        const source = yield* wholeSource(repositories, draft.from, head);
        if (source === 'changed') return ok(() => okAsync('superseded' as const));
        const earlier = yield* earlierPromotion(repositories, source, zoneId);
        const merge = yield* mergeInto(basis, source, { draft, request, earlier }, randomness);
        const changes = { ...request, base: earlier?.revisions, report: jsonDocument(merge.report) };
        const { request: _, ...promotion } = changes;
        if (isNothing(merge)) return ok(unchanging({ kind: 'nothing', promotion }));
        const title = draft.title ?? titleFor(source.zone);
        return creation({ basis, caller, randomness }, merge, changes, title);
      }),
    );

type PromotionWrite = DecidedWrite<PromotionOutcome, InvalidInput, Repositories>;

const unchanging =
  (outcome: PromotionOutcome): PromotionWrite =>
  () =>
    okAsync(outcome);

const requestOf = (
  draft: PromotionDraft,
  source: Pick<Zone, 'id' | 'revision'>,
  target: Pick<Zone, 'id' | 'revision'>,
): PromotionRequest => ({
  zoneId: target.id,
  from: source.id,
  fromRevision: draft.fromRevision ?? source.revision,
  toRevision: target.revision,
  request: JSON.stringify([
    draft.title ?? null,
    sortedEntries(draft.map.backends),
    sortedEntries(draft.map.basicAuthUsers),
    [...new Set(draft.keep)].toSorted(),
  ]),
});

const sortedEntries = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).toSorted(([one], [other]) => (one < other ? -1 : 1));

/** Truncates names that are too long. */
const titleFor = ({ name, tag }: Zone): ChangeSetTitle =>
  ChangeSetTitle.parse(`Promotion from ${Array.from(name).slice(0, 230).join('')} (${tag})`);

interface PromotionInput {
  readonly draft: PromotionDraft;
  readonly request: PromotionRequest;
  readonly earlier: EarlierPromotion | undefined;
}

const mergeInto = (
  { repositories, state }: DraftBasis<Repositories>,
  source: ZoneState,
  { draft, request, earlier }: PromotionInput,
  randomness: Randomness,
): ResultAsync<PromotionMerge, InvalidInput> =>
  safeTry(async function* () {
    const known = {
      source: yield* promotedDocument(repositories, source, request.fromRevision),
      earlier: earlier?.document,
      target: documentOfState(state),
      backends: yield* namedBackends(repositories, state, draft),
    };
    return mergePromotion(known, draft, () => RuleId.parse(randomness.uuid()));
  });

/** The organization's backends, if any must be resolved by name. */
const namedBackends = (
  repositories: Repositories,
  state: ZoneState,
  { map }: PromotionDraft,
): ResultAsync<readonly NamedBackend[], never> =>
  Object.keys(map.backends).length === 0
    ? okAsync([])
    : readBackends(repositories, state.zone.organizationId).map(({ originServers, loadBalancers }) => [
        ...originServers.map(({ id, name }) => ({ id, name, kind: 'origin_server' as const })),
        ...loadBalancers.map(({ id, name }) => ({ id, name, kind: 'load_balancer' as const })),
      ]);

const isNothing = ({ patch, disputed }: PromotionMerge): boolean =>
  disputed === undefined && Object.keys(patch).length === 0;

interface WriteContext extends Pick<Dependencies, 'randomness'> {
  readonly basis: DraftBasis<Repositories>;
  readonly caller: Caller;
}

/** The write that stores the promotion with its change set, and records it in the audit log. */
const creation = (
  { basis, caller, randomness }: WriteContext,
  merge: PromotionMerge,
  changes: PromotionRequest & PromotedChanges & ReportedChanges,
  title: ChangeSetTitle,
): ResultAsync<PromotionWrite, InvalidInput | AccessDenied> =>
  safeTry(async function* () {
    const { repositories, state, limits } = basis;
    const content = yield* contentFor(basis, randomness, merge);
    yield* mayDraft(caller, state.zone, content);
    const { record: merged } = yield* findConflicts(repositories, state, content);
    const borrowed = yield* borrowedContent(repositories, content.patch, { ...changes, report: merge.report });
    const { userId: createdBy } = caller;
    const [changeSet, id] = [ChangeSetId.parse(randomness.uuid()), PromotionId.parse(randomness.uuid())];
    const set: NewChangeSet = {
      id: changeSet,
      zoneId: state.zone.id,
      title,
      description: ChangeSetDescription.parse(''),
      createdBy,
      ...content,
      ...borrowed,
      merge: merged,
    };
    return ok((locked: Repositories, { organizationId: organization, revision }: LockedZone) =>
      safeTry(async function* () {
        if (revision !== state.zone.revision) return ok('superseded' as const);
        const same = yield* locked.promotions.openLike(changes);
        if (same !== undefined) return ok({ kind: 'repeated' as const, promotion: same });
        yield* requireStorage(locked, organization, bytesOfChangeSet(set) + bytesOfPromotion(changes));
        if ((yield* added(locked, set, limits)) === 'superseded') return ok('superseded' as const);
        const promotion = yield* locked.promotions.add({ ...changes, id, changeSet, createdBy });
        const objects = { zone: state.zone.id, from: changes.from, changeSet };
        yield* record(locked, caller, 'zone.promoted', { organization, objects });
        return ok({ kind: 'made' as const, promotion });
      }),
    );
  });

/** A merge without conflicts is validated like a write; one with conflicts is validated once they are resolved. */
const contentFor = (
  basis: DraftBasis<Repositories>,
  randomness: Randomness,
  { patch, disputed }: PromotionMerge,
): ResultAsync<ChangeSetContent, InvalidInput> =>
  disputed === undefined
    ? contentOf(basis, randomness, { patch })
    : okAsync({
        base: basis.state.zone.revision,
        patch: jsonDocument(patch),
        disputed: jsonDocument(disputed),
        operations: undefined,
      });
