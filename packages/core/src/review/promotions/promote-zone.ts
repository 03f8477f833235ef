import { ok, okAsync, type ResultAsync, safeTry } from 'neverthrow';
import { ChangeSetId, PromotionId, type ZoneId } from '../../kernel/shared/ids.ts';
import { jsonDocument } from '../../kernel/shared/json.ts';
import type { Randomness } from '../../kernel/shared/randomness.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../../kernel/shared/version.ts';
import type { InvalidInput } from '../../kernel/shared/violation.ts';
import type { UsageLimits } from '../../kernel/usage-limits/usage-limits.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import type { AuditLog } from '../../organizations/audit/ports.ts';
import { record } from '../../organizations/audit/record.ts';
import type { StorageQuotas } from '../../organizations/organizations/ports.ts';
import { requireStorage } from '../../organizations/organizations/storage-quota.ts';
import type { ZoneChanges } from '../../zones/zone-changes/ports.ts';
import type { Zones } from '../../zones/zones/ports.ts';
import { type Zone, zoneVersion } from '../../zones/zones/zone.ts';
import type { ZoneAccessError } from '../../zones/zones/zone-access.ts';
import {
  bytesOfChangeSet,
  type ChangeSetContent,
  ChangeSetDescription,
  ChangeSetTitle,
} from '../change-sets/change-set.ts';
import { findConflicts } from '../change-sets/change-set-conflicts.ts';
import { type DecidedWrite, type DraftBasis, mayDraft, writeDraft } from '../change-sets/change-set-write.ts';
import { added } from '../change-sets/create-change-set.ts';
import type { ChangeSets, NewChangeSet } from '../change-sets/ports.ts';
import { contentOf } from '../change-sets/write-content.ts';
import type { SourceChanged } from './errors.ts';
import type { PromotionMerge } from './merge-promotion.ts';
import { type MergeRepositories, mergeSource } from './merge-source.ts';
import type { NewPromotion } from './ports.ts';
import { bytesOfPromotion, type PromotedChanges, type Promotion, type ReportedChanges } from './promotion.ts';
import type { PromotionDraft } from './promotion-draft.ts';
import { promotionRequest } from './promotion-request.ts';
import { sourceOf, wholeSource } from './promotion-source.ts';

interface Repositories extends MergeRepositories {
  readonly auditLog: AuditLog;
  readonly changeSets: ChangeSets;
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

/**
 * Creates a change set that brings another zone's changes to this one; nothing is applied. While the set is open, the
 * same request returns it again: it is stored while the zone is locked, so of concurrent equal requests only one creates
 * it.
 */
export const promoteZone =
  ({ unitOfWork, randomness }: { unitOfWork: UnitOfWork<Repositories>; randomness: Randomness }): PromoteZone =>
  (caller, zoneId, draft, expected) =>
    writeDraft(unitOfWork, caller, zoneId, (basis) =>
      safeTry(async function* () {
        const { repositories, state, limits } = basis;
        yield* requireVersion(expected.target, zoneVersion(state.zone));
        const head = yield* sourceOf(repositories, caller, state.zone, draft.from, expected.source);
        const request = promotionRequest(draft, head, state.zone);
        const same = yield* repositories.promotions.openLike(request);
        if (same !== undefined) return ok(nothingWritten({ kind: 'repeated', promotion: same }));
        const source = yield* wholeSource(repositories, draft.from, head);
        if (source === 'changed') return ok(nothingWritten('superseded'));

        const merge = yield* mergeSource(basis, source, { ...draft, fromRevision: request.fromRevision }, randomness);
        const changes = { ...request, base: merge.base, report: jsonDocument(merge.report) };
        if (isNothing(merge)) return ok(nothingWritten({ kind: 'nothing', promotion: changes }));
        const content = yield* contentFor(basis, randomness, merge);
        yield* mayDraft(caller, state.zone, content);
        const { record: merged } = yield* findConflicts(repositories, state, content);

        const ids = { changeSet: ChangeSetId.parse(randomness.uuid()), id: PromotionId.parse(randomness.uuid()) };
        const { title = titleFor(source.zone) } = draft;
        const [description, createdBy] = [ChangeSetDescription.parse(''), caller.userId];
        const set = { ...content, id: ids.changeSet, zoneId, title, description, createdBy, merge: merged };
        return ok(stored(caller, limits, set, { ...changes, ...ids, createdBy }));
      }),
    );

type PromotionWrite = DecidedWrite<PromotionOutcome, InvalidInput, Repositories>;

const nothingWritten =
  (outcome: PromotionOutcome | 'superseded'): PromotionWrite =>
  () =>
    okAsync(outcome);

const isNothing = ({ patch, disputed }: PromotionMerge): boolean =>
  disputed === undefined && Object.keys(patch).length === 0;

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

/** Truncates names that are too long. */
const titleFor = ({ name, tag }: Zone): ChangeSetTitle =>
  ChangeSetTitle.parse(`Promotion from ${Array.from(name).slice(0, 230).join('')} (${tag})`);

/** The write that stores the promotion with its change set, and records it in the audit log. */
const stored =
  (caller: Caller, limits: UsageLimits, set: NewChangeSet, promotion: NewPromotion): PromotionWrite =>
  (repositories, { organizationId: organization, revision }) =>
    safeTry(async function* () {
      if (revision !== promotion.toRevision) return ok('superseded' as const);
      const same = yield* repositories.promotions.openLike(promotion);
      if (same !== undefined) return ok({ kind: 'repeated' as const, promotion: same });
      yield* requireStorage(repositories, organization, bytesOfChangeSet(set) + bytesOfPromotion(promotion));
      yield* added(repositories, set, limits);
      const made = yield* repositories.promotions.add(promotion);
      const objects = { zone: set.zoneId, from: promotion.from, changeSet: set.id };
      yield* record(repositories, caller, 'zone.promoted', { organization, objects });
      return ok({ kind: 'made' as const, promotion: made });
    });
