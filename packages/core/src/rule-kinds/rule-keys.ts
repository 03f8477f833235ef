import type { JsonDocument } from '../shared/json-document.ts';
import { nameKey } from '../shared/text.ts';
import type { Violation } from '../shared/violation.ts';
import { type RuleContents, type RuleKind, ruleKinds } from './rule-kinds.ts';

/** What must be unique in a list of rules. */
export interface RuleKeys {
  readonly name: string;
  /** Undefined if only names must be unique. */
  readonly unique: string | undefined;
}

/** The keys of a rule's content: computed lazily and once, because that takes noticeable time for long lists. */
export const ruleKeys = <K extends RuleKind>(kind: K, content: JsonDocument<RuleContents[K]>): RuleKeys => {
  const known = made.get(content);
  if (known !== undefined) return known;
  const keys = keysOf(kind, content);
  made.set(content, keys);
  return keys;
};

const made = new WeakMap<JsonDocument<unknown>, RuleKeys>();

function keysOf<K extends RuleKind>(kind: K, content: JsonDocument<RuleContents[K]>): RuleKeys {
  let name: string | undefined;
  let unique: { readonly key: string | undefined } | undefined;
  return {
    get name() {
      name ??= nameKey(content.value.name);
      return name;
    },
    get unique() {
      unique ??= { key: ruleKinds[kind].uniqueKey?.of(content.value) };
      return unique.key;
    },
  };
}

/**
 * Violations for clashes with other rules of the list. Keys unchanged from `before` are exempt: duplicates that are
 * older than the uniqueness rule may stay.
 */
export function clashesBetween(
  kind: RuleKind,
  { name, unique }: RuleKeys,
  others: readonly RuleKeys[],
  before: RuleKeys | undefined,
): readonly Violation[] {
  const { nameTaken, uniqueKey } = ruleKinds[kind];
  const isKeyTaken =
    unique !== undefined && unique !== before?.unique && others.some((other) => other.unique === unique);
  return [
    ...(name !== before?.name && others.some((other) => other.name === name) ? [nameTaken] : []),
    ...(isKeyTaken && uniqueKey !== undefined ? [uniqueKey.taken] : []),
  ];
}
