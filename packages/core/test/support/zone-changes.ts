import {
  BasicAuthUserDraft,
  type Caller,
  RevisionNumber,
  type Rule,
  type RuleKind,
  RuleMove,
  ruleKindNames,
  type Zone,
} from '@zonewright/core';
import * as fc from 'fast-check';
import type { Result, ResultAsync } from 'neverthrow';
import { createBasicAuthUser } from '../../src/zones/basic-auth-users/create-basic-auth-user.ts';
import { deleteBasicAuthUser } from '../../src/zones/basic-auth-users/delete-basic-auth-user.ts';
import { updateBasicAuthUser } from '../../src/zones/basic-auth-users/update-basic-auth-user.ts';
import { restoreRevision } from '../../src/zones/revisions/restore-revision.ts';
import { createRule } from '../../src/zones/rules/create-rule.ts';
import { deleteRule } from '../../src/zones/rules/delete-rule.ts';
import { moveRule } from '../../src/zones/rules/move-rule.ts';
import { replaceRules } from '../../src/zones/rules/replace-rules.ts';
import { updateRule } from '../../src/zones/rules/update-rule.ts';
import { rotateBanToken } from '../../src/zones/zone-changes/rotate-ban-token.ts';
import { updateZone } from '../../src/zones/zone-changes/update-zone.ts';
import { draftOf, listOf, onPath, rulesIn } from './rules.ts';
import { inTables, type World } from './world.ts';
import { revisionOf } from './zones.ts';

/** A change of a zone. Its target is picked from what exists at that time. */
export interface ZoneChange {
  readonly verb: keyof typeof verbs;
  readonly kind: RuleKind;
  /** Picks a rule, a user or a revision. */
  readonly pick: number;
  /** Picks a position, a value or a neighbour. */
  readonly to: number;
}

interface Scene {
  readonly world: World;
  readonly owner: Caller;
  readonly zone: Zone;
  readonly rules: readonly Rule[];
}

type Outcome = ResultAsync<unknown, { readonly type: string }>;
type Verb = (scene: Scene, change: ZoneChange) => Outcome | undefined;

const listIn = ({ zone }: Scene, { kind }: ZoneChange) => listOf(zone, kind);
const picked = <T>(all: readonly T[], pick: number): T | undefined => all[pick % all.length];

/** The differences between rules, chosen so that some of them clash. */
const bodyOf = (kind: RuleKind, value: number) => {
  const [name, path] = [`r${value}`, `/p${value}`];
  switch (kind) {
    case 'configurationRule':
      return { name, conditions: onPath(path), settingsOverrides: { cachingDefaultTtl: value } };
    case 'rewriteRule':
      return { name, operator: 'equals', sourcePattern: path, target: '/' };
    case 'accessRule':
      return { name, conditions: onPath(path), action: 'block' };
    case 'securityScenario':
      return { name, type: 'trigger', filter: onPath(path) };
  }
};

const aNewRule = (kind: RuleKind, value: number) => draftOf(kind, bodyOf(kind, value)).content;

const usersOf = ({ world, zone }: Scene) =>
  inTables(world, ({ basicAuthUsers }) => [...basicAuthUsers.values()].filter(({ zoneId }) => zoneId === zone.id));

const verbs = {
  createRule: (scene, change) => {
    const order = change.kind === 'securityScenario' ? {} : { order: change.to };
    const draft = draftOf(change.kind, { ...bodyOf(change.kind, change.pick), ...order });
    return createRule(scene.world)(scene.owner, listIn(scene, change), draft);
  },
  updateRule: (scene, change) => {
    const rule = picked(scene.rules, change.pick);
    const patch = change.to % 3 === 0 ? { name: `r${change.to}` } : { enabled: change.to % 2 === 0 };
    return rule && updateRule(scene.world)(scene.owner, listIn(scene, change), rule.id, patch, undefined);
  },
  moveRule: (scene, change) => {
    const [rule, neighbour] = [picked(scene.rules, change.pick), picked(scene.rules, change.to)];
    if (rule === undefined || neighbour === undefined) return undefined;
    const to = [{ position: change.to }, { before: neighbour.id }, { after: neighbour.id }][change.to % 3];
    return moveRule(scene.world)(scene.owner, listIn(scene, change), rule.id, RuleMove.parse(to), undefined);
  },
  deleteRule: (scene, change) => {
    const rule = picked(scene.rules, change.pick);
    return rule && deleteRule(scene.world)(scene.owner, listIn(scene, change), rule.id, undefined);
  },
  replaceRules: (scene, change) => {
    const kept = scene.rules.filter((_, index) => index % 4 !== change.pick % 4).toReversed();
    const wanted = kept.map(({ id, content: { value } }, index) => ({
      id,
      content: index % 3 === change.to % 3 ? { ...value, enabled: !value.enabled } : value,
    }));
    const added = { id: undefined, content: aNewRule(change.kind, change.to) };
    return replaceRules(scene.world)(scene.owner, listIn(scene, change), [...wanted, added], undefined);
  },
  updateZone: ({ world, owner, zone }, { pick, to }) => {
    const settings = [
      { cachingDefaultTtl: to },
      { customPagesErrorHtml: to % 2 === 0 ? null : `${to}` },
      { cachingDynamicCacheKey: { varyByCookie: Array.from({ length: to % 4 }, (_, index) => `c${index}`) } },
      { headersResponseSet: [{ name: 'X-To', value: `${to}` }] },
    ][pick % 4];
    const names = to % 5 === 0 ? { name: `Zone ${pick}`, tag: to % 2 === 0 ? 'dev' : 'prod' } : {};
    return updateZone(world)(owner, zone.id, { ...names, zone_settings: settings ?? {} }, undefined);
  },
  rotateBanToken: ({ world, owner, zone }) => rotateBanToken(world)(owner, zone.id, undefined),
  createUser: ({ world, owner, zone }, { pick }) => {
    const draft = BasicAuthUserDraft.parse({ username: `user ${pick}`, password: 'Secret-1' });
    return createBasicAuthUser(world)(owner, zone.id, draft);
  },
  updateUser: (scene, { pick, to }) => {
    const user = picked(usersOf(scene), pick);
    const patch = to % 2 === 0 ? { comment: `${to}` } : { password: `Secret-${to}` };
    return user && updateBasicAuthUser(scene.world)(scene.owner, scene.zone.id, user.id, patch, undefined);
  },
  deleteUser: (scene, { pick }) => {
    const user = picked(usersOf(scene), pick);
    return user && deleteBasicAuthUser(scene.world)(scene.owner, scene.zone.id, user.id, undefined);
  },
  restore: ({ world, owner, zone }, { pick }) => {
    const number = RevisionNumber.parse(1 + (pick % (revisionOf(world, zone.id) ?? 1)));
    return restoreRevision(world)(owner, zone.id, number, undefined);
  },
} as const satisfies Record<string, Verb>;

/** Makes the change if its target exists; some changes are refused, and some change nothing. */
export async function makeChange(
  { world, owner, zone }: Omit<Scene, 'rules'>,
  change: ZoneChange,
): Promise<Result<unknown, { readonly type: string }> | undefined> {
  const rules = await rulesIn(world, listOf(zone, change.kind));
  const verb: Verb = verbs[change.verb];
  return await verb({ world, owner, zone, rules }, change);
}

/** How history calls the change. */
export function actionOf({ verb, kind, to }: ZoneChange): string {
  const actions: Readonly<Record<ZoneChange['verb'], string>> = {
    createRule: `${kind}.created`,
    updateRule: `${kind}.changed`,
    moveRule: `${kind}.moved`,
    deleteRule: `${kind}.deleted`,
    replaceRules: `${kind}.replaced`,
    updateZone: 'zone.changed',
    rotateBanToken: 'zone.banTokenRotated',
    createUser: 'basicAuthUser.created',
    updateUser: `basicAuthUser.${to % 2 === 0 ? 'changed' : 'passwordChanged'}`,
    deleteUser: 'basicAuthUser.deleted',
    restore: 'zone.restored',
  };
  return actions[verb];
}

const numbers = { pick: fc.nat(30), to: fc.nat(30) };

/** Any change of a zone; creating rules is more frequent than anything else. */
export const anyZoneChange: fc.Arbitrary<ZoneChange> = fc.record({
  verb: fc.oneof(
    { weight: 4, arbitrary: fc.constant('createRule' as const) },
    { weight: 9, arbitrary: fc.constantFrom(...(Object.keys(verbs) as ZoneChange['verb'][])) },
  ),
  kind: fc.constantFrom(...ruleKindNames),
  ...numbers,
});
