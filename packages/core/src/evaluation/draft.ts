import { err, Result } from 'neverthrow';
import type { ZoneDocument } from '../history/zone-document.ts';
import { listMember } from '../history/zone-document.ts';
import type { WrittenRule } from '../rule-kinds/rule.ts';
import { type RuleKind, ruleKindNames, ruleKinds } from '../rule-kinds/rule-kinds.ts';
import { parseWrittenRule } from '../rules/rule-draft.ts';
import { listViolations } from '../rules/rule-write.ts';
import { inconsistencies } from '../settings/consistency.ts';
import { brokenReferences, type Referents } from '../settings/references.ts';
import { allSettings, overridableSettings, ZoneSettings } from '../settings/settings.ts';
import { RuleId } from '../shared/ids.ts';
import { type JsonDocument, jsonDocument } from '../shared/json-document.ts';
import { isJsonObject, type Json, type JsonObject, jsonOf, mergePatch } from '../shared/merge-patch.ts';
import { parse } from '../shared/parse.ts';
import {
  type InvalidInput,
  invalidInput,
  requireNone,
  type Violation,
  violation,
  violationsUnder,
} from '../shared/violation.ts';

/** The members of a zone document that decide what happens to requests. */
const settingsMember = 'zone_settings';
const listMembers = ruleKindNames.map((kind) => ruleKinds[kind].member);

interface Draft {
  readonly settings: JsonDocument<ZoneSettings>;
  readonly lists: readonly { readonly kind: RuleKind; readonly rules: readonly WrittenRule[] }[];
}

/**
 * A zone document changed by a merge patch (RFC 7396) and checked like a write: settings and every rule by themselves,
 * against each other and against what is there. Paths of violations start at the patch.
 */
export const draftOf = (
  base: ZoneDocument,
  patch: JsonObject,
  referents: Referents,
): Result<ZoneDocument, InvalidInput> => {
  // A patch that is an object always leads to an object.
  const merged = mergePatch(withKnownMembers(base), patch) as JsonObject;
  return knownMembers(patch)
    .andThen(() => parsedDraft(merged, base))
    .andThrough((draft) => requireNone(draftViolations(draft, nameOf(base), referents)))
    .map(({ settings, lists }) => ({
      [settingsMember]: jsonOf(settings),
      ...Object.fromEntries(lists.map(({ kind, rules }) => [ruleKinds[kind].member, listMember(rules)])),
    }));
};

/** A document as far as its members are known today: one of an old revision may have others. */
const withKnownMembers = (base: ZoneDocument): JsonObject => ({
  [settingsMember]: only(Object.keys(allSettings), base[settingsMember]),
  ...Object.fromEntries(
    ruleKindNames.map((kind) => {
      const { member, schema } = ruleKinds[kind];
      const { order = [], items = {} } = objectIn(base[member]);
      const rules = Object.entries(objectIn(items)).map(([id, content]) => {
        const rule = only(Object.keys(schema.shape), content);
        const { settingsOverrides } = rule;
        if (settingsOverrides === undefined) return [id, rule];
        return [id, { ...rule, settingsOverrides: only(Object.keys(overridableSettings), settingsOverrides) }];
      });
      return [member, { order, items: Object.fromEntries(rules) }];
    }),
  ),
});

const objectIn = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

const only = (names: readonly string[], value: Json | undefined): JsonObject =>
  Object.fromEntries(Object.entries(objectIn(value)).filter(([name]) => names.includes(name)));

/** Every zone has a name, also in its documents. */
const nameOf = ({ name }: ZoneDocument): string => (typeof name === 'string' ? name : '');

const knownMembers = (patch: JsonObject): Result<void, InvalidInput> =>
  requireNone(
    Object.keys(patch)
      .filter((member) => member !== settingsMember && !listMembers.includes(member))
      .map((member) => violation(member, 'member.unknown', 'A draft cannot change this member.')),
  );

/** Settings and rules by themselves; a list that the patch removes is empty. */
function parsedDraft(merged: JsonObject, base: ZoneDocument): Result<Draft, InvalidInput> {
  const settings = parse(ZoneSettings, merged[settingsMember] ?? {})
    .map(jsonDocument)
    .mapErr(under(settingsMember));
  const lists = ruleKindNames.map((kind) => {
    const { member } = ruleKinds[kind];
    return parsedList(kind, merged[member] ?? {}, objectIn(objectIn(base[member])['items']))
      .map((rules) => ({ kind, rules }))
      .mapErr(under(member));
  });
  return Result.combineWithAllErrors([settings, Result.combineWithAllErrors(lists).mapErr(joined)])
    .map(([document, rules]) => ({ settings: document, lists: rules }))
    .mapErr(joined);
}

/** The rules of a list in their order. */
function parsedList<K extends RuleKind>(
  kind: K,
  list: Json,
  before: JsonObject,
): Result<readonly WrittenRule<K>[], InvalidInput> {
  if (!isJsonObject(list)) return err(invalidInput([violation('', 'member.type', 'This value should be an object.')]));
  const { order = [], items = {}, ...others } = list;
  const unknown = Object.keys(others).map((name) => violation(name, 'member.unknown', 'This member is not known.'));
  if (!isJsonObject(items)) {
    return err(invalidInput([...unknown, violation('items', 'member.type', 'This value should be an object.')]));
  }
  const rules = Object.entries(items).map(([id, content]) =>
    parsedRule(kind, id, { content, before: objectIn(before[id]) }).mapErr(under(`items.${id}`)),
  );
  const known = Object.keys(items);
  return (
    Result.combineWithAllErrors([
      requireNone(unknown).map(() => []),
      requireNone(orderViolations(order, known)).map(() => []),
      ...rules.map((rule) => rule.map((each) => [each])),
    ])
      // `orderViolations` found only known ids in it.
      .map((found) => inOrder(found.flat(), order as readonly string[]))
      .mapErr(joined)
  );
}

const inOrder = <K extends RuleKind>(rules: readonly WrittenRule<K>[], order: readonly string[]): WrittenRule<K>[] => {
  const byId = new Map<string, WrittenRule<K>>(rules.map((rule) => [rule.id, rule]));
  return order.flatMap((id) => byId.get(RuleId.parse(id)) ?? []);
};

function parsedRule<K extends RuleKind>(
  kind: K,
  name: string,
  { content, before }: { readonly content: Json; readonly before: JsonObject },
): Result<WrittenRule<K>, InvalidInput> {
  const id = RuleId.safeParse(name);
  if (!id.success) return err(invalidInput([violation('', 'rule.id', 'The id of a rule should be a UUID.')]));
  if (!isJsonObject(content)) {
    return err(invalidInput([violation('', 'member.type', 'This value should be an object.')]));
  }
  return parseWrittenRule(kind, content, before).map((value) => ({ id: id.data, content: jsonDocument(value) }));
}

function orderViolations(order: Json, known: readonly string[]): readonly Violation[] {
  // `Array.isArray` does not narrow to the read-only list of the union.
  const named: readonly Json[] = Array.isArray(order) ? (order as readonly Json[]) : [];
  const isComplete = Array.isArray(order) && named.length === known.length && new Set(named).size === known.length;
  if (isComplete && known.every((id) => named.includes(id))) return [];
  return [violation('order', 'list.order', 'This list should name each rule of items exactly once.')];
}

/** What settings and rules break together. */
function draftViolations({ settings, lists }: Draft, name: string, referents: Referents): readonly Violation[] {
  const zone = { name, settings };
  return [
    ...violationsUnder(settingsMember, [
      ...inconsistencies(settings.value),
      ...brokenReferences(zone, referents, settings.value),
    ]),
    ...lists.flatMap(({ kind, rules }) =>
      violationsUnder(ruleKinds[kind].member, byId(rules, listViolations(zone, referents, kind, rules))),
    ),
  ];
}

const place = /^\[([0-9]+)\]/;

/** Paths that start at the place of a rule, as paths that start at its id. */
const byId = (rules: readonly WrittenRule[], violations: readonly Violation[]): readonly Violation[] =>
  violations.map((each) => ({
    ...each,
    propertyPath: each.propertyPath.replace(place, (_, index: string) => `items.${rules[Number(index)]?.id}`),
  }));

const joined = (errors: readonly InvalidInput[]): InvalidInput =>
  invalidInput(errors.flatMap(({ violations }) => violations));

/** Moves violations under a member. */
const under =
  (member: string) =>
  ({ violations }: InvalidInput): InvalidInput =>
    invalidInput(violationsUnder(member, violations));
