import { ok, okAsync, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { record } from '../audit/record.ts';
import { type ChangeSetContent, ChangeSetDescription, ChangeSetTitle } from '../change-sets/change-set.ts';
import { documentOfState } from '../change-sets/change-set-merge.ts';
import { inLockedZone, type LockedZone } from '../change-sets/change-set-write.ts';
import { tooManyOpen } from '../change-sets/create-change-set.ts';
import { bytesOfChangeSet } from '../change-sets/stored-bytes.ts';
import { contentOf } from '../change-sets/write-content.ts';
import { readBackends } from '../evaluation/backends.ts';
import { requireStorage } from '../organizations/storage-quota.ts';
import type { Repositories, UnitOfWork } from '../repositories.ts';
import { ChangeSetId, PromotionId, RuleId, type ZoneId } from '../shared/ids.ts';
import { jsonDocument } from '../shared/json-document.ts';
import type { Randomness } from '../shared/randomness.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../shared/version.ts';
import type { InvalidInput } from '../shared/violation.ts';
import { type Zone, zoneVersion } from '../zones/zone.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import type { ZoneState } from '../zones/zone-state.ts';
import type { SourceChanged } from './errors.ts';
import type { NamedBackend } from './mapped-names.ts';
import { mergePromotion, type PromotionMerge } from './merge-promotion.ts';
import type { PromotionRequest } from './ports.ts';
import type { PromotedChanges, Promotion, ReportedChanges } from './promotion.ts';
import type { PromotionDraft } from './promotion-draft.ts';
import { type EarlierPromotion, earlierPromotion, promotedDocument, sourceOf } from './promotion-source.ts';
import { bytesOfPromotion } from './stored-bytes.ts';

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
  readonly unitOfWork: UnitOfWork;
  readonly randomness: Randomness;
}

/**
 * Creates a change set that brings another zone's changes to this one; nothing is applied. While the set is open, the
 * same request returns it again: the zone is locked, so of concurrent equal requests only one creates it.
 */
export const promoteZone =
  ({ unitOfWork, randomness }: Dependencies): PromoteZone =>
  (caller, zoneId, draft, expected) =>
    inLockedZone(unitOfWork, caller, zoneId, (locked) =>
      safeTry(async function* () {
        const { repositories, state } = locked;
        yield* requireVersion(expected.target, zoneVersion(state.zone));
        const source = yield* sourceOf(repositories, caller, state.zone, draft.from, expected.source);
        const request = requestOf(draft, source.zone, state.zone);
        const same = yield* repositories.promotions.openLike(request);
        if (same !== undefined) return ok({ kind: 'repeated' as const, promotion: same });
        const earlier = yield* earlierPromotion(repositories, source, zoneId);
        const merge = yield* mergeInto(locked, source, { draft, request, earlier }, randomness);
        const changes = { ...request, base: earlier?.revisions, report: jsonDocument(merge.report) };
        const { request: _, ...promotion } = changes;
        if (isNothing(merge)) return ok({ kind: 'nothing' as const, promotion });
        const title = draft.title ?? titleFor(source.zone);
        return createChangeSet({ locked, caller, randomness }, merge, changes, title);
      }),
    );

const requestOf = (draft: PromotionDraft, source: Zone, target: Zone): PromotionRequest => ({
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
  { repositories, state }: LockedZone,
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
  readonly locked: LockedZone;
  readonly caller: Caller;
}

/** Stores the promotion with its change set, and records it in the audit log. */
const createChangeSet = (
  { locked, caller, randomness }: WriteContext,
  merge: PromotionMerge,
  changes: PromotionRequest & PromotedChanges & ReportedChanges,
  title: ChangeSetTitle,
): ResultAsync<PromotionOutcome, InvalidInput> =>
  safeTry(async function* () {
    const { repositories, state, limits } = locked;
    const { id: zone, organizationId: organization } = state.zone;
    const changeSet = ChangeSetId.parse(randomness.uuid());
    const content = yield* contentFor(locked, randomness, merge);
    const { userId: createdBy } = caller;
    const description = ChangeSetDescription.parse('');
    const added = { id: changeSet, zoneId: zone, title, description, createdBy, ...content };
    yield* requireStorage(repositories, organization, bytesOfChangeSet(added) + bytesOfPromotion(changes));
    yield* repositories.changeSets.add(added, limits.changeSets).mapErr(() => tooManyOpen(limits));
    const id = PromotionId.parse(randomness.uuid());
    const promotion = yield* repositories.promotions.add({ ...changes, id, changeSet, createdBy });
    yield* record(repositories, caller, 'zone.promoted', {
      organization,
      objects: { zone, from: changes.from, changeSet },
    });
    return ok({ kind: 'made' as const, promotion });
  });

/** A merge without conflicts is validated like a write; one with conflicts is validated once they are resolved. */
const contentFor = (
  locked: LockedZone,
  randomness: Randomness,
  { patch, disputed }: PromotionMerge,
): ResultAsync<ChangeSetContent, InvalidInput> =>
  disputed === undefined
    ? contentOf(locked, randomness, { patch })
    : okAsync({
        base: locked.state.zone.revision,
        patch: jsonDocument(patch),
        disputed: jsonDocument(disputed),
        operations: undefined,
      });
