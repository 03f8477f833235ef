import { link, type ResourceDescription, readOnly, readOnlyLink, timestamp, uuid } from '@zonewright/api-description';
import {
  type Promotion,
  PromotionDraft,
  type PromotionOutcome,
  type PromotionSummary,
  promotedChanges,
  type ReportEntry,
  ruleKindNames,
  ZoneId,
} from '@zonewright/core';
import { z } from 'zod';
import { iri, reference } from '../../resources/iri.ts';
import { Item, type Members } from '../../resources/resource.ts';
import { presentPage } from '../item.ts';

/** The validated input of a promotion. */
export const CheckedPromotion = PromotionDraft.extend({
  fromTag: z.string().optional().meta({
    description:
      'Entity tag of the source, with or without its quotes: 412 if the source has changed. `If-Match` applies to the target.',
  }),
});

/** The request body: the source may be an IRI or an id. */
export const PromotionBody = CheckedPromotion.extend({
  from: reference('Zone', ZoneId).meta({
    description: 'The zone whose changes are promoted.',
    examples: ['/api/zones/0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e'],
  }),
});

const number = z.int().min(1);

const Entry = z.object({
  kind: z.enum([...ruleKindNames, 'settings']).meta({ description: 'Kind of rule, or `settings`.' }),
  name: z
    .string()
    .meta({ description: 'Name of the rule, or key of the setting.', examples: ['Keep the blog for a day'] }),
  change: z.enum(promotedChanges).meta({
    description:
      'What happens to it; `kept` means that it stays as it is in the target, `moved` that only its position changes.',
  }),
  moved: z.literal(true).optional().meta({ description: 'True if a changed rule also changes its position.' }),
  rule: link('Rule', 'The rule in the target; absent if the target has deleted it.').optional(),
  source: link('Rule', 'The rule in the source; absent if it has none.').optional(),
  members: z.array(z.string()).optional().meta({ description: 'The affected paths in the zone document.' }),
});

const changeMembers = {
  zone: readOnlyLink('Zone', 'The zone that gets the changes.'),
  from: link('Zone', 'The zone whose changes are promoted.'),
  fromRevision: number.meta({ description: 'Revision of the source.' }),
  toRevision: readOnly(number, 'Revision of the target that the change set is based on.'),
  base: readOnly(
    z.object({ fromRevision: number, toRevision: number }).optional(),
    'Revisions of the last promotion from this source whose change set was applied; absent if there was none.',
  ),
} as const;

const ofSet = {
  id: uuid('Id of the promotion.'),
  changeSet: readOnlyLink('ChangeSet', 'The change set that the promotion created.'),
  createdBy: readOnlyLink('User', 'The user who promoted; absent once the account is deleted.'),
  createdAt: timestamp('When the promotion was made.'),
} as const;

/** A promotion in a list. */
export const promotionResource: ResourceDescription = {
  type: 'Promotion',
  title: 'promotion',
  description: 'Changes brought from one zone to another, as a change set.',
  schema: z.object({ ...changeMembers, ...ofSet, createdBy: ofSet.createdBy.optional() }),
};

/** A promotion with its report. */
export const promotionDetailsResource: ResourceDescription = {
  ...promotionResource,
  name: 'PromotionDetails',
  description: 'A promotion with its report. `id` and `changeSet` are absent if there was nothing to promote.',
  schema: z.object({
    ...changeMembers,
    ...z.object(ofSet).partial().shape,
    report: readOnly(z.array(Entry), 'What happens to each rule, and to each setting that differs.'),
  }),
  mayBeUnstored: true,
};

type Changes = PromotionOutcome['promotion'];

const changesOf = ({ zoneId, from, fromRevision, toRevision, base }: Omit<Changes, 'report'>): Members => ({
  zone: iri.zone(zoneId),
  from: iri.zone(from),
  fromRevision,
  toRevision,
  base,
});

const reportOf = ({ zoneId, from, report }: Changes): Members => ({
  report: report.value.map((entry) => ({
    kind: entry.kind,
    name: entry.name,
    change: entry.change,
    moved: entry.moved,
    rule: ruleIri(entry, zoneId, entry.rule),
    source: ruleIri(entry, from, entry.source),
    members: entry.members.length === 0 ? undefined : entry.members,
  })),
});

const ruleIri = ({ kind }: ReportEntry, zoneId: ZoneId, id: ReportEntry['rule']): string | undefined =>
  kind === 'settings' || id === undefined ? undefined : iri.rule({ zoneId, kind, id });

const promotionItem = (promotion: PromotionSummary, report: Members = {}): Item =>
  new Item({
    type: 'Promotion',
    iri: iri.promotion(promotion),
    version: promotion.id,
    members: {
      id: promotion.id,
      ...changesOf(promotion),
      changeSet: iri.changeSet({ zoneId: promotion.zoneId, id: promotion.changeSet }),
      ...report,
      createdBy: promotion.createdBy && iri.user(promotion.createdBy),
      createdAt: promotion.createdAt,
    },
  });

/** A promotion with its report. */
export const presentPromotion = (promotion: Promotion): Item => promotionItem(promotion, reportOf(promotion));

/** The outcome of a promotion. One without changes is not stored, so it has no address. */
export const presentOutcome = (outcome: PromotionOutcome): Item =>
  outcome.kind === 'nothing'
    ? new Item({
        type: 'Promotion',
        iri: undefined,
        members: { ...changesOf(outcome.promotion), ...reportOf(outcome.promotion) },
      })
    : presentPromotion(outcome.promotion);

/** Promotions without their reports. */
export const presentPromotions = presentPage('Promotion', (promotion: PromotionSummary) => promotionItem(promotion));
