import { bytesOfRevision } from '../history/revision.ts';
import type { Rule, WrittenRule } from '../rule-kinds/rule.ts';
import { utf8Bytes } from '../shared/text.ts';
import type { ZoneState } from '../zones/zone-state.ts';
import type { RecordedChange } from './ports.ts';
import type { ListPlan, ZonePlan } from './zone-plan.ts';

/**
 * How many bytes more the organization stores after the change; at most 0 if the change frees as many, or if all it does
 * is remove: that is always possible.
 */
export function growthBy(
  { zone, rules }: ZoneState,
  { plan, revision, changeSet }: Pick<RecordedChange, 'plan' | 'revision' | 'changeSet'>,
): number {
  if (changeSet?.isAlone === true || removesOnly(plan)) return 0;
  const settings = plan.settings === undefined ? 0 : bytesOf(plan.settings) - bytesOf(zone.settings);
  const lists = [...(plan.lists ?? [])].map(([kind, list]) => growthOf(rules[kind], list));
  return lists.reduce((sum, growth) => sum + growth, bytesOfRevision(revision) + settings);
}

const bytesOf = ({ text }: { readonly text: string }): number => utf8Bytes(text);

/** The bytes that a list of rules grows by. */
function growthOf(before: readonly Rule[], { removed, changed, added }: ListPlan): number {
  const replaced = new Set([...removed, ...changed.map(({ id }) => id)]);
  return contentBytes([...changed, ...added]) - contentBytes(before.filter(({ id }) => replaced.has(id)));
}

const contentBytes = (rules: readonly Pick<WrittenRule, 'content'>[]): number =>
  rules.reduce((sum, { content }) => sum + bytesOf(content), 0);

function removesOnly({ names, settings, hostnames, banToken, lists, users }: ZonePlan): boolean {
  if ([names, settings, hostnames, banToken].some((part) => part !== undefined)) return false;
  const parts = [...(lists?.values() ?? []), ...(users === undefined ? [] : [users])];
  return parts.length > 0 && parts.every(({ changed, added }) => changed.length + added.length === 0) && !moves(lists);
}

const moves = (lists: ZonePlan['lists']): boolean => [...(lists?.values() ?? [])].some(({ ranks }) => ranks.size > 0);
