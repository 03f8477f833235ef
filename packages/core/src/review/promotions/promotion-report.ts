import type { RuleId } from '../../kernel/shared/ids.ts';
import { isSame, type Json, type JsonObject, objectIn } from '../../kernel/shared/json.ts';
import { settingsMember } from '../../zones/drafts/zone-contents.ts';
import { listIn, type ZoneDocument } from '../../zones/history/zone-document.ts';
import type { RuleKind } from '../../zones/rule-kinds/rule-kinds.ts';
import { ruleListNames } from '../../zones/rule-kinds/rule-lists.ts';
import { movesBetween } from '../../zones/rule-kinds/rule-order.ts';
import { type DocumentRule, rulesIn } from './document-rules.ts';
import type { ReportEntry } from './promotion.ts';

/** The inputs and the result of a merge. */
export interface ReportedMerge {
  readonly source: ZoneDocument;
  /** The source in the target's terms. */
  readonly yours: ZoneDocument;
  readonly theirs: ZoneDocument;
  /** The result, taking the source's side of conflicts. */
  readonly merged: ZoneDocument;
  /** Paths of the conflicts. */
  readonly conflicts: readonly string[];
}

/** The lists in order of evaluation. */
const reportedKinds = [
  'accessRule',
  'rewriteRule',
  'configurationRule',
  'securityScenario',
] as const satisfies RuleKind[];

/**
 * What a merge changes in the target: settings by key, the source's rules by position, then rules that only the target
 * has.
 */
export function promotionReport(merge: ReportedMerge): readonly ReportEntry[] {
  const lists = reportedKinds.map((kind) => rulesReport(kind, merge));
  return [
    ...settingsReport(merge),
    ...lists.flatMap(({ ofSource }) => ofSource),
    ...lists.flatMap(({ ofTarget }) => ofTarget),
  ];
}

/** The settings that differ between the zones. */
function settingsReport({ source, theirs, merged, conflicts }: ReportedMerge): readonly ReportEntry[] {
  const [there, here, after] = [source, theirs, merged].map((document) => document.zone_settings);
  const keys = new Set([there, here].flatMap((settings) => Object.keys(settings ?? {})));
  return [...keys].toSorted().flatMap((name): readonly ReportEntry[] => {
    const path = `${settingsMember}.${name}`;
    if (isSame(there?.[name], here?.[name])) return [];
    const change = conflicts.includes(path) ? 'conflict' : changeBetween(here?.[name], after?.[name]);
    return [{ kind: 'settings', name, change, members: [path] }];
  });
}

const changeBetween = (before: Json | undefined, after: Json | undefined): 'added' | 'changed' | 'removed' | 'kept' => {
  if (isSame(before, after)) return 'kept';
  if (before === undefined) return 'added';
  return after === undefined ? 'removed' : 'changed';
};

interface ListReport {
  readonly ofSource: readonly ReportEntry[];
  readonly ofTarget: readonly ReportEntry[];
}

function rulesReport(kind: RuleKind, merge: ReportedMerge): ListReport {
  const sources = rulesIn(merge.source, kind);
  const [yours, theirs] = [rulesIn(merge.yours, kind), rulesIn(merge.theirs, kind)];
  const entryOf = entriesOf(kind, merge);
  const known = new Set(yours.map(({ id }) => id));
  return {
    // Both documents have the source's rules in the same order.
    ofSource: yours.map((rule, index) => entryOf(rule, sources[index]?.id)),
    ofTarget: theirs.filter(({ id }) => !known.has(id)).map((rule) => entryOf(rule)),
  };
}

type EntryOf = (rule: DocumentRule, source?: RuleId) => ReportEntry;

function entriesOf(kind: RuleKind, { yours, theirs, merged, conflicts }: ReportedMerge): EntryOf {
  const { [kind]: member } = ruleListNames;
  const [there, here, after] = [yours, theirs, merged].map((document) => listIn(document, kind).items);
  const moved = movedRules(kind, theirs, merged);
  return ({ id, name }, source) => {
    const path = `${member}.items.${id}`;
    const versions = { there: there?.[id], here: here?.[id], after: after?.[id] };
    const outcome = outcomeOf(path, versions, moved.has(id) ? [`${member}.order`] : [], conflicts);
    return { kind, name, ...outcome, ...idsOf(id, versions), ...(source === undefined ? {} : { source }) };
  };
}

/** A rule that the target has neither before nor after the merge has no id there. */
const idsOf = (rule: RuleId, { here, after }: RuleVersions): Pick<ReportEntry, 'rule'> =>
  here === undefined && after === undefined ? {} : { rule };

/** A minimal set of rules whose move explains the new order. */
function movedRules(kind: RuleKind, before: ZoneDocument, after: ZoneDocument): ReadonlySet<RuleId> {
  const idsIn = (document: ZoneDocument) => rulesIn(document, kind).map(({ id }) => id);
  const known = new Set(idsIn(before));
  return new Set(movesBetween(idsIn(before), idsIn(after)).filter((id) => known.has(id)));
}

/** A rule in the source, in the target, and in the result. */
interface RuleVersions {
  readonly there: Json | undefined;
  readonly here: Json | undefined;
  readonly after: Json | undefined;
}

type Outcome = Pick<ReportEntry, 'change' | 'moved' | 'members'>;

/** What happens to a rule; `place`: the unit of its position, if that changes. */
function outcomeOf(
  path: string,
  versions: RuleVersions,
  place: readonly string[],
  conflicts: readonly string[],
): Outcome {
  const open = [path, ...place].flatMap((unit) =>
    conflicts.filter((each) => each === unit || each.startsWith(`${unit}.`)),
  );
  const { here, after } = versions;
  const change = open.length > 0 ? 'conflict' : changeBetween(here, after);
  if (change === 'kept') return unchanged(path, versions, place);
  const members = open.length > 0 ? open : [...unitsBetween(path, here, after), ...place];
  return { change, ...(place.length > 0 ? { moved: true } : {}), members };
}

const unchanged = (path: string, { there, here }: RuleVersions, place: readonly string[]): Outcome =>
  place.length > 0
    ? { change: 'moved', members: place }
    : { change: 'kept', members: here === undefined ? [] : unitsBetween(path, here, there) };

/** The units in which two versions of a rule differ. */
const unitsBetween = (path: string, one: Json | undefined, other: Json | undefined): readonly string[] =>
  one === undefined || other === undefined
    ? [path]
    : membersBetween(path, objectIn(one), objectIn(other), (member) => member === 'settingsOverrides');

function membersBetween(
  path: string,
  one: JsonObject,
  other: JsonObject,
  isNested: (member: string) => boolean,
): readonly string[] {
  const members = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...members].flatMap((member) => {
    const [place, before, after] = [`${path}.${member}`, one[member], other[member]];
    if (isNested(member)) return membersBetween(place, objectIn(before), objectIn(after), () => false);
    return isSame(before, after) ? [] : [place];
  });
}
