import { err, ok, Result } from 'neverthrow';
import { RuleId } from '../../kernel/shared/ids.ts';
import {
  isJsonList,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonDocument,
  type JsonObject,
  jsonDocument,
  jsonOf,
  objectIn,
  storedDocument,
} from '../../kernel/shared/json.ts';
import { parse } from '../../kernel/shared/parse.ts';
import {
  type InvalidInput,
  invalidAt,
  invalidInput,
  joined,
  requireNone,
  under,
  type Violation,
  violation,
  violationsUnder,
} from '../../kernel/shared/violation.ts';
import { type HostName, HostNames } from '../../organizations/domains/dns-names.ts';
import type { HostNameClaim } from '../../organizations/domains/host-name-rules.ts';
import { listIn, listMember, listsOf, type ZoneDocument } from '../history/zone-document.ts';
import type { WrittenRule } from '../rule-kinds/rule.ts';
import type { RuleContents, RuleKind } from '../rule-kinds/rule-kinds.ts';
import { ruleKindNames, ruleListNames } from '../rule-kinds/rule-lists.ts';
import { inOrder } from '../rules/list-change.ts';
import { parseRuleContent, parseWrittenRule } from '../rules/rule-draft.ts';
import {
  characterViolations,
  type EnclosingZone,
  listViolations,
  type RuleCapacity,
  referencesOf,
} from '../rules/rule-validity.ts';
import { inconsistencies } from '../settings/consistency.ts';
import { brokenReferences, type ReferenceTargets, type SettingsReferences } from '../settings/references.ts';
import { ZoneSettings } from '../settings/settings.ts';
import { listPlans, type ZonePlan } from '../zone-changes/zone-plan.ts';
import type { ZoneState } from '../zones/zone-state.ts';

/** The member of a zone document that holds its settings. */
export const settingsMember = 'zone_settings';

/** The host names, settings and rules of a zone document, each valid by itself. */
export interface ZoneContents {
  readonly hostnames: readonly HostName[];
  /** For the host names that the zone does not have yet. */
  readonly claims?: readonly HostNameClaim[];
  readonly settings: JsonDocument<ZoneSettings>;
  readonly lists: readonly { readonly kind: RuleKind; readonly rules: readonly WrittenRule[] }[];
}

/** Validates and completes the content of one rule. */
type RuleParser = <K extends RuleKind>(
  kind: K,
  id: string,
  content: JsonObject,
) => Result<JsonDocument<RuleContents[K]>, InvalidInput>;

/**
 * The host names, settings and rules of a stored document. They were valid when stored; what no longer is, is reported at its path
 * in the document.
 */
export const storedContents = (document: ZoneDocument): Result<ZoneContents, InvalidInput> =>
  contentsOf(document, undefined, (kind, _, content) => parseRuleContent(kind, content).map(jsonDocument));

/**
 * The same for a document that a client changed: host names and rules unchanged from `before` are accepted, others are
 * validated as writes.
 */
export const draftContents = (document: JsonObject, before: ZoneDocument): Result<ZoneContents, InvalidInput> =>
  contentsOf(document, before, <K extends RuleKind>(kind: K, id: string, content: JsonObject) => {
    const { [id]: old } = listIn(before, kind).items;
    // It was validated when it was stored.
    if (old !== undefined && isSameJson(old, content)) return ok(storedDocument<RuleContents[K]>(JSON.stringify(old)));
    return parseWrittenRule(kind, content, old).map(jsonDocument);
  });

/** The rules in a list as a client wrote it, by id. */
export const itemsIn = (list: Json | undefined): JsonObject => objectIn(objectIn(list)['items']);

/** Missing lists are empty, and missing settings have their defaults. */
function contentsOf(
  document: JsonObject,
  before: ZoneDocument | undefined,
  ruleOf: RuleParser,
): Result<ZoneContents, InvalidInput> {
  const settings = parse(ZoneSettings, document[settingsMember] ?? {})
    .map(jsonDocument)
    .mapErr(under(settingsMember));
  const lists = ruleKindNames.map((kind) => {
    const { [kind]: member } = ruleListNames;
    return listOf(kind, document[member] ?? {}, ruleOf)
      .map((rules) => ({ kind, rules }))
      .mapErr(under(member));
  });
  return Result.combineWithAllErrors([
    hostNamesOf(document, before),
    settings,
    Result.combineWithAllErrors(lists).mapErr(joined),
  ])
    .map(([hostnames, found, rules]) => ({ hostnames, settings: found, lists: rules }))
    .mapErr(joined);
}

/** The member of a zone document that holds its host names. */
export const hostNamesMember = 'hostnames';

const hostNamesOf = (
  { hostnames = [] }: JsonObject,
  before: ZoneDocument | undefined,
): Result<readonly HostName[], InvalidInput> =>
  before !== undefined && isSameJson(hostnames, before.hostnames ?? [])
    ? // They were validated when they were stored.
      ok((before.hostnames ?? []) as readonly HostName[])
    : parse(HostNames, hostnames).mapErr(under(hostNamesMember));

/** The rules of a list in order. */
function listOf<K extends RuleKind>(
  kind: K,
  list: Json,
  ruleOf: RuleParser,
): Result<readonly WrittenRule<K>[], InvalidInput> {
  if (!isJsonObject(list)) return err(invalidInput([notAnObject('')]));
  const { order = [], items = {}, ...others } = list;
  const unknown = Object.keys(others).map((name) => violation(name, 'member.unknown', 'This member is not known.'));
  if (!isJsonObject(items)) return err(invalidInput([...unknown, notAnObject('items')]));
  const rules = Object.entries(items).map(([id, content]) => oneOf(kind, id, content, ruleOf));
  return Result.combineWithAllErrors([
    requireNone([...unknown, ...orderViolations(order, Object.keys(items))]).map(() => []),
    ...rules.map((rule) => rule.map((each) => [each])),
  ])
    .map((found) =>
      inOrder(
        found.flat(),
        // `orderViolations` has made sure that it holds only rule ids.
        (order as readonly string[]).map((id) => RuleId.parse(id)),
      ),
    )
    .mapErr(joined);
}

const oneOf = <K extends RuleKind>(
  kind: K,
  name: string,
  content: Json,
  ruleOf: RuleParser,
): Result<WrittenRule<K>, InvalidInput> => {
  const id = RuleId.safeParse(name);
  const checked = (): Result<WrittenRule<K>, InvalidInput> => {
    if (!id.success) return err(invalidAt('', 'rule.id', 'The id of a rule should be a UUID.'));
    if (!isJsonObject(content)) return err(invalidInput([notAnObject('')]));
    return ruleOf(kind, name, content).map((found) => ({ id: id.data, content: found }));
  };
  return checked().mapErr(under(`items.${name}`));
};

const notAnObject = (path: string): Violation => violation(path, 'member.type', 'This value should be an object.');

function orderViolations(order: Json, known: readonly string[]): readonly Violation[] {
  const named = isJsonList(order) ? order : [];
  const distinct = new Set(named);
  const isComplete = isJsonList(order) && named.length === known.length && distinct.size === known.length;
  if (isComplete && known.every((id) => distinct.has(id))) return [];
  return [violation('order', 'list.order', 'This list should name each rule of items exactly once.')];
}

/** The references of settings and rules to other things. */
export const namedIn = ({ settings, lists }: ZoneContents): readonly SettingsReferences[] => [
  settings.value,
  ...lists.flatMap(({ rules }) => referencesOf(rules.map(({ content }) => content.value))),
];

/**
 * Violations that settings and rules cause in combination, in a zone with this name and these limits; paths are
 * relative to the document.
 */
export function contentsViolations(
  { hostnames, settings, lists }: ZoneContents,
  around: Pick<EnclosingZone, 'name'> & RuleCapacity,
  referents: ReferenceTargets,
): readonly Violation[] {
  const zone = { ...around, hostnames, settings };
  return [
    ...violationsUnder(settingsMember, [
      ...inconsistencies(settings.value),
      ...brokenReferences(zone, referents, settings.value),
    ]),
    ...characterViolations(around, { ...around.rules, ...rulesOf(lists) }),
    ...lists.flatMap(({ kind, rules }) =>
      violationsUnder(ruleListNames[kind], byId(rules, listViolations(zone, referents, kind, rules))),
    ),
  ];
}

/** The rules of each kind. */
const rulesOf = (lists: ZoneContents['lists']): Partial<RuleCapacity['rules']> =>
  Object.fromEntries(lists.map(({ kind, rules }) => [kind, rules]));

const place = /^\[([0-9]+)\]/;

/** Replaces a rule's index with its id in violation paths. */
const byId = (rules: readonly WrittenRule[], violations: readonly Violation[]): readonly Violation[] =>
  violations.map((each) => ({
    ...each,
    propertyPath: each.propertyPath.replace(place, (_, index: string) => `items.${rules[Number(index)]?.id}`),
  }));

/** The members of a zone document for these host names, settings and rules. */
export const contentsDocument = ({ hostnames, settings, lists }: ZoneContents): ZoneDocument => {
  const rules = new Map(lists.map((list) => [list.kind, list.rules]));
  return { hostnames, zone_settings: jsonOf(settings), ...listsOf((kind) => listMember(rules.get(kind) ?? [])) };
};

/** The plan that gives a zone these host names, settings and rules, without what it already has. */
export const contentsPlan = (
  state: ZoneState,
  { hostnames: names, claims = [], settings, lists }: ZoneContents,
): ZonePlan => ({
  ...(isSameJson(names, state.zone.hostnames) ? {} : { hostnames: { names, claims } }),
  ...(settings.text === state.zone.settings.text ? {} : { settings }),
  lists: listPlans(state, lists),
});
