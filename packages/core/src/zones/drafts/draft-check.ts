import type { Result } from 'neverthrow';
import type { RuleId } from '../../kernel/shared/ids.ts';
import { isSame, type JsonObject, objectIn } from '../../kernel/shared/json.ts';
import { type InvalidInput, requireNone, type Violation, violation } from '../../kernel/shared/violation.ts';
import { decidedHostNames, newNames } from '../../organizations/domains/host-name-rules.ts';
import type { WrittenRule } from '../rule-kinds/rule.ts';
import type { RuleKind } from '../rule-kinds/rule-kinds.ts';
import { ruleKindNames, ruleListNames } from '../rule-kinds/rule-lists.ts';
import { ruleCapacityIn } from '../rules/rule-validity.ts';
import { type Decision, decideWithReferences } from '../zone-changes/decision.ts';
import type { ClaimedRule, ResolvedReferences } from '../zone-changes/zone-facts.ts';
import type { StateWithLimits } from '../zones/ports.ts';
import type { ZoneState } from '../zones/zone-state.ts';
import {
  contentsViolations,
  draftContents,
  itemsIn,
  namedIn,
  settingsMember,
  type ZoneContents,
} from './zone-contents.ts';

/** What a draft is based on: a document of the zone, and its contents as far as all of it is still valid. */
export interface DraftBasis {
  readonly document: JsonObject;
  readonly contents: () => ZoneContents | undefined;
}

/** Ranks rules by when the draft wrote them: of two that clash, the higher-ranked one is reported; -1: not written. */
export type WriteRank = (kind: RuleKind, id: RuleId) => number;

/** The host names, settings and rules of a zone. */
export const contentsOfState = ({ zone, rules }: ZoneState): ZoneContents => ({
  hostnames: zone.hostnames,
  settings: zone.settings,
  lists: ruleKindNames.map((kind) => ({ kind, rules: rules[kind] })),
});

/**
 * Validates a draft like a write: the settings and each rule by themselves, in combination, and against the rest of the
 * zone. Violations that existed before, in places the draft does not touch, are tolerated. Paths are relative to the
 * document.
 */
export function checkedDraft(
  basis: StateWithLimits,
  document: JsonObject,
  before: DraftBasis,
  rankOf?: WriteRank,
): Result<Decision<ZoneContents, InvalidInput>, InvalidInput> {
  return draftContents(document, before.document).andThen((contents) => {
    const { state, limits } = basis;
    const { hostnames: held } = state.zone;
    const claims = claimedIn(contents, state);
    const references = { settings: namedIn(contents), hostNames: newNames(contents.hostnames, held), rules: claims };
    return decideWithReferences(state, references, (referents, resolved) => {
      const hostNames = decidedHostNames(contents.hostnames, {
        held,
        limits,
        facts: resolved?.hostNames,
      });
      const zone = { name: state.zone.name, ...ruleCapacityIn(basis) };
      const inRank = inRankOrder(contents, rankOf ?? changedFrom(before.document, document));
      const broken = contentsViolations(inRank, zone, referents);
      const inherited = broken.filter(({ propertyPath }) => isSameAt(propertyPath, document, before.document));
      const earlier = inherited.length === 0 ? undefined : before.contents();
      const known = new Set(
        (earlier === undefined ? [] : contentsViolations(earlier, zone, referents)).map(violationKey),
      );
      const own = broken.filter((each) => !inherited.includes(each) || !known.has(violationKey(each)));
      return requireNone([...hostNames.violations, ...takenIds(claims, state, resolved), ...own]).map(() => ({
        ...contents,
        claims: hostNames.wanted.claims,
      }));
    });
  });
}

const violationKey = ({ propertyPath, code }: Violation): string => `${propertyPath} ${code}`;

/** The same contents with each list sorted by rank, because of two clashing rules the later one is reported. */
const inRankOrder = ({ lists, ...others }: ZoneContents, rankOf: WriteRank): ZoneContents => ({
  ...others,
  lists: lists.map(({ kind, rules }) => {
    const ranks = new Map(rules.map(({ id }) => [id, rankOf(kind, id)]));
    const rank = ({ id }: WrittenRule) => ranks.get(id) ?? 0;
    return { kind, rules: rules.toSorted((one, other) => rank(one) - rank(other)) };
  }),
});

/** Ranks rules that are unchanged between the documents first. */
const changedFrom =
  (before: JsonObject, after: JsonObject): WriteRank =>
  (kind, id) =>
    isSameAt(`${ruleListNames[kind]}.items.${id}`, before, after) ? -1 : 0;

const place = /^(\w+)\.(?:items\.)?([^.[]+)/;

/** Whether two documents have the same rule or setting at a path. */
function isSameAt(path: string, one: JsonObject, other: JsonObject): boolean {
  const [, member = '', name = ''] = place.exec(path) ?? [];
  const of = (document: JsonObject) =>
    (member === settingsMember ? objectIn(document[member]) : itemsIn(document[member]))[name];
  return isSame(of(one), of(other));
}

/** Rules whose ids are new in their list. */
export const claimedIn = ({ lists }: ZoneContents, { rules }: ZoneState): readonly ClaimedRule[] =>
  lists.flatMap(({ kind, rules: wanted }) => {
    const known = new Set<RuleId>(rules[kind].map(({ id }) => id));
    return wanted.flatMap(({ id }) => (known.has(id) ? [] : [{ kind, id }]));
  });

/** Violations for ids that are taken: an id belongs to one rule, and stays with one list forever. */
export const takenIds = (
  claims: readonly ClaimedRule[],
  state: ZoneState,
  resolved: ResolvedReferences | undefined,
): readonly Violation[] => {
  const here = new Set<RuleId>(ruleKindNames.flatMap((kind) => state.rules[kind].map(({ id }) => id)));
  return claims.flatMap(({ kind, id }) =>
    here.has(id) || resolved?.takenRules.has(id) === true ? [idTaken(`${ruleListNames[kind]}.items.${id}`)] : [],
  );
};

/** The violation for a rule id that is taken. */
export const idTaken = (path: string): Violation =>
  violation(path, 'rule.id.taken', 'Another rule has or had this id.');
