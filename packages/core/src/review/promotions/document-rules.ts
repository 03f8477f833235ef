import type { RuleId } from '../../kernel/shared/ids.ts';
import type { Json, JsonObject } from '../../kernel/shared/json.ts';
import { nameKey } from '../../kernel/shared/text.ts';
import { listIn, type ZoneDocument } from '../../zones/history/zone-document.ts';
import type { RuleKind } from '../../zones/rule-kinds/rule-kinds.ts';
import { ruleKindNames } from '../../zones/rule-kinds/rule-lists.ts';

/** A rule in a zone document. */
export interface DocumentRule {
  readonly id: RuleId;
  readonly name: string;
  readonly content: JsonObject;
}

/** The rules of a kind, in order. */
export function rulesIn(document: ZoneDocument, kind: RuleKind): readonly DocumentRule[] {
  const { order, items } = listIn(document, kind);
  return order.flatMap((id) => {
    const { [id]: content } = items;
    return content === undefined ? [] : [{ id, name: textOf(content['name']), content }];
  });
}

/** The value if it is a string, else an empty string. */
const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** The target's id for a rule of this kind and name. */
export type TargetRuleIds = (kind: RuleKind, name: string) => RuleId;

/** The target's rule ids by name, compared as for uniqueness. Each name the target lacks gets a new id. */
export function targetRuleIds(target: ZoneDocument, newId: () => RuleId): TargetRuleIds {
  const known = new Map(
    ruleKindNames.map((kind) => [kind, new Map(rulesIn(target, kind).map(({ id, name }) => [nameKey(name), id]))]),
  );
  return (kind, name) => {
    const key = nameKey(name);
    const id = known.get(kind)?.get(key) ?? newId();
    known.get(kind)?.set(key, id);
    return id;
  };
}
