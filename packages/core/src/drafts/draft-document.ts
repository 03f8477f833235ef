import type { Result } from 'neverthrow';
import type { ZoneDocument } from '../history/zone-document.ts';
import { ruleKinds } from '../rule-kinds/rule-kinds.ts';
import { ruleKindNames, ruleListNames } from '../rule-kinds/rule-lists.ts';
import { allSettings, overridableSettings } from '../settings/settings.ts';
import { type Json, type JsonObject, mergePatch } from '../shared/merge-patch.ts';
import { type InvalidInput, requireNone, violation } from '../shared/violation.ts';
import { itemsIn, objectIn, settingsMember } from './zone-contents.ts';

/** The members of a zone document that drafts can change: those that affect requests. */
const draftMembers: readonly string[] = [settingsMember, ...ruleKindNames.map((kind) => ruleListNames[kind])];

/** The part of a document that drafts can change, limited to today's members: old revisions may have others. */
export const draftBase = (document: ZoneDocument): ZoneDocument => ({
  [settingsMember]: only(Object.keys(allSettings), document[settingsMember]),
  ...Object.fromEntries(
    ruleKindNames.map((kind) => {
      const { [kind]: member } = ruleListNames;
      const { schema } = ruleKinds[kind];
      const { order = [] } = objectIn(document[member]);
      const rules = Object.entries(itemsIn(document[member])).map(([id, content]) => {
        const rule = only(Object.keys(schema.shape), content);
        const { settingsOverrides } = rule;
        if (settingsOverrides === undefined) return [id, rule];
        return [id, { ...rule, settingsOverrides: only(Object.keys(overridableSettings), settingsOverrides) }];
      });
      return [member, { order, items: Object.fromEntries(rules) }];
    }),
  ),
});

const only = (names: readonly string[], value: Json | undefined): JsonObject =>
  Object.fromEntries(Object.entries(objectIn(value)).filter(([name]) => names.includes(name)));

/** The name of the zone, which every document has. */
export const nameIn = ({ name }: ZoneDocument): string => (typeof name === 'string' ? name : '');

/** The base with a merge patch (RFC 7396) applied, not validated yet. Violation paths start at the patch. */
export const draftDocument = (base: ZoneDocument, patch: JsonObject): Result<JsonObject, InvalidInput> =>
  requireNone(
    Object.keys(patch)
      .filter((member) => !draftMembers.includes(member))
      .map((member) => violation(member, 'member.unknown', 'A draft cannot change this member.')),
    // Applying an object patch always results in an object.
  ).map(() => mergePatch(base, patch) as JsonObject);
