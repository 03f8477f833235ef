import { err, ok, Result } from 'neverthrow';
import type { RuleId } from '../../kernel/shared/ids.ts';
import { type Json, type JsonObject, jsonDocument, jsonOf, mergePatch, objectIn } from '../../kernel/shared/json.ts';
import { parseDocument } from '../../kernel/shared/parse.ts';
import {
  type InvalidInput,
  invalidInput,
  joined,
  requireNone,
  under,
  type Violation,
  violationsUnder,
} from '../../kernel/shared/violation.ts';
import { idTaken } from '../../zones/drafts/draft-check.ts';
import { itemsIn, settingsMember } from '../../zones/drafts/zone-contents.ts';
import type { ZoneDocument } from '../../zones/history/zone-document.ts';
import type { RuleKind } from '../../zones/rule-kinds/rule-kinds.ts';
import { ruleKindNames, ruleListNames, unknownRule } from '../../zones/rule-kinds/rule-lists.ts';
import { type RuleOrder, removeRule } from '../../zones/rule-kinds/rule-order.ts';
import { parseWrittenRule, patchedMembers } from '../../zones/rules/rule-draft.ts';
import { movedRule, placementCount, type RulePlacement } from '../../zones/rules/rule-placement.ts';
import { ZoneSettings } from '../../zones/settings/settings.ts';
import { memberNames, type Operation } from './operation.ts';

/**
 * Applies operations in order to a document. Each is checked like a single write. All violations are reported, except
 * those that follow from a rule that could not be created. Paths are relative to the list of operations.
 */
export function applyOperations(
  base: ZoneDocument,
  operations: readonly Operation[],
): Result<JsonObject, InvalidInput> {
  const violations: Violation[] = [];
  const missing = new Set<RuleId>();
  let document: JsonObject = base;
  for (const [index, operation] of operations.entries()) {
    if (rulesOf(operation).some((id) => missing.has(id))) continue;
    const done = carryOut(base, document, operation);
    if (done.isOk()) document = done.value;
    else {
      violations.push(...violationsUnder(`[${index}]`, done.error.violations));
      if (operation.op === 'create') missing.add(operation.id);
    }
  }
  return requireNone(violations).map(() => document);
}

/** The rules that an operation refers to. */
function rulesOf(operation: Operation): readonly RuleId[] {
  if (operation.op === 'settings') return [];
  const { before, after } = 'place' in operation ? operation.place : {};
  return [operation.id, before, after].filter((id) => id !== undefined);
}

function carryOut(base: ZoneDocument, document: JsonObject, operation: Operation): Result<JsonObject, InvalidInput> {
  switch (operation.op) {
    case 'settings':
      return withSettings(document, operation.members);
    case 'create':
      return withRule(base, document, operation);
    default:
      return ruleIn(document, operation).andThen((rule) => withChange(document, operation, rule));
  }
}

const withSettings = (document: JsonObject, patch: JsonObject): Result<JsonObject, InvalidInput> =>
  parseDocument(ZoneSettings, mergePatch(document[settingsMember], patch))
    .map((settings) => ({ ...document, [settingsMember]: jsonOf(jsonDocument(settings)) }))
    .mapErr(under(memberNames.settings));

function withRule(
  base: ZoneDocument,
  document: JsonObject,
  { kind, id, members, place }: Extract<Operation, { op: 'create' }>,
): Result<JsonObject, InvalidInput> {
  const { order, items } = listIn(document, kind);
  const isTaken = ruleKindNames.some(
    (other) => hasRule(document, other, id) || (other !== kind && hasRule(base, other, id)),
  );
  return Result.combineWithAllErrors([
    parseWrittenRule(kind, members).mapErr(under(memberNames.create)),
    isTaken ? err(invalidInput([idTaken('id')])) : ok(),
    inPlace([...order, id], id, place),
  ])
    .map(([content, , placed]) => withList(document, kind, placed, { ...items, [id]: jsonOf(jsonDocument(content)) }))
    .mapErr(joined);
}

type Existing = Exclude<Operation, { op: 'create' | 'settings' }>;

const ruleIn = (document: JsonObject, { kind, id }: Existing): Result<JsonObject, InvalidInput> =>
  hasRule(document, kind, id) ? ok(objectIn(listIn(document, kind).items[id])) : err(invalidInput([unknownRule('id')]));

function withChange(document: JsonObject, operation: Existing, rule: JsonObject): Result<JsonObject, InvalidInput> {
  const { kind, id } = operation;
  const { order, items } = listIn(document, kind);
  if (operation.op === 'move') {
    return inPlace(order, id, operation.place).map((moved) => withList(document, kind, moved, items));
  }
  if (operation.op === 'delete') {
    const { [id]: _, ...others } = items;
    return ok(withList(document, kind, removeRule(order, id), others));
  }
  return parseWrittenRule(kind, patchedMembers(kind, rule, operation.members), rule)
    .map((content) => withList(document, kind, order, { ...items, [id]: jsonOf(jsonDocument(content)) }))
    .mapErr(under(memberNames.update));
}

const inPlace = (order: RuleOrder, id: RuleId, place: RulePlacement): Result<RuleOrder, InvalidInput> =>
  placementCount(place) === 0 ? ok(order) : movedRule(order, id, place);

interface RuleListMember {
  readonly order: RuleOrder;
  readonly items: JsonObject;
}

const listIn = (document: JsonObject, kind: RuleKind): RuleListMember => {
  const { order } = objectIn(document[ruleListNames[kind]]);
  // Documents store the order as a list of rule ids.
  return { order: (order ?? []) as RuleOrder, items: itemsIn(document[ruleListNames[kind]]) };
};

const hasRule = (document: JsonObject, kind: RuleKind, id: RuleId): boolean =>
  Object.hasOwn(listIn(document, kind).items, id);

const withList = (document: JsonObject, kind: RuleKind, order: RuleOrder, items: JsonObject): JsonObject => ({
  ...document,
  [ruleListNames[kind]]: { order, items } satisfies Readonly<Record<string, Json>>,
});
