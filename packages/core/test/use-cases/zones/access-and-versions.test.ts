import {
  type BasicAuthUser,
  BasicAuthUserDraft,
  BasicAuthUserId,
  basicAuthUserNotFound,
  basicAuthUserVersion,
  type Caller,
  type ConfigurationRule,
  parseRequestFacts,
  permissionDenied,
  RevisionNumber,
  RuleId,
  RuleMove,
  revisionNotFound,
  ruleNotFound,
  ruleVersion,
  type UseCases,
  useCases,
  versionMismatch,
  type Zone,
  ZoneId,
  zoneNotFound,
  zoneVersion,
} from '@zonewright/core';
import { expect } from 'chai';
import { err, type ResultAsync } from 'neverthrow';
import type { Permission } from '../../../src/organizations/access/role.ts';
import { aBasicAuthUser } from '../../support/basic-auth-users.ts';
import { aMember, anOutsider, setRole } from '../../support/organizations.ts';
import { refusalOf, valueOf } from '../../support/outcomes.ts';
import { aRule, aRuleDraft, configurationRulesOf, someRules } from '../../support/rules.ts';
import { entriesDuring } from '../../support/traces.ts';
import { aWorld, everythingIn } from '../../support/world.ts';
import { anOrganizationWithZone, aZone, revisionOf } from '../../support/zones.ts';

const missingId = '00000000-0000-7000-8000-999999999999';
const page = { page: 1, itemsPerPage: 30 };

/** What a call is about: a zone, the id or number of a part of it, and the versions that a write expects. */
interface Target {
  readonly zone: ZoneId;
  readonly part: string | number;
  readonly expected?: readonly string[] | undefined;
}

type Call = (all: UseCases, caller: Caller, target: Target) => ResultAsync<unknown, { readonly type: string }>;

/** Parts of a zone. */
type Part = 'rule' | 'user' | 'revision';
const missing = {
  rule: { part: missingId, error: ruleNotFound() },
  user: { part: missingId, error: basicAuthUserNotFound() },
  revision: { part: 99, error: revisionNotFound() },
} as const;

/** A zone with three rules, the second of which `rule` is, and a user; and another zone. */
const aPlace = async () => {
  const world = aWorld();
  const arranged = await anOrganizationWithZone(world);
  const { owner, zone: created } = arranged;
  const [, rule] = await someRules(world, owner, created.id, ['a', 'b', 'c']);
  const user = await aBasicAuthUser(world, owner, created.id, 'ada');
  const all = useCases(world);
  const { zone } = await valueOf(all.readZone(owner, created.id));
  const { revision } = await valueOf(all.listRules(owner, configurationRulesOf(zone), { ...page, names: [] }));
  const other = await aZone(world, owner, { name: 'Other' });
  return { world, ...arranged, zone, rule: rule!, user, listVersion: String(revision), other, all };
};
type Place = Awaited<ReturnType<typeof aPlace>>;

const targetIn = ({ zone, rule, user }: Place, part: Part | undefined): Target => ({
  zone: zone.id,
  part: part === undefined ? '' : { rule: rule.id, user: user.id, revision: 1 }[part],
});

const listIn = ({ zone }: Target) => configurationRulesOf({ id: zone });
const ruleId = ({ part }: Target) => RuleId.parse(part);
const userId = ({ part }: Target) => BasicAuthUserId.parse(part);
const number = ({ part }: Target) => RevisionNumber.parse(part);

const reads: Readonly<Record<string, readonly [Permission, Part | undefined, Call]>> = {
  readZone: ['zones.read', undefined, (all, caller, { zone }) => all.readZone(caller, zone)],
  listRules: ['rules.read', undefined, (all, caller, at) => all.listRules(caller, listIn(at), { ...page, names: [] })],
  readRule: ['rules.read', 'rule', (all, caller, at) => all.readRule(caller, listIn(at), ruleId(at))],
  listBasicAuthUsers: [
    'basicAuthUsers.read',
    undefined,
    (all, caller, { zone }) => all.listBasicAuthUsers(caller, zone, { ...page, username: undefined }),
  ],
  readBasicAuthUser: [
    'basicAuthUsers.read',
    'user',
    (all, caller, at) => all.readBasicAuthUser(caller, at.zone, userId(at)),
  ],
  listRevisions: ['zones.read', undefined, (all, caller, { zone }) => all.listRevisions(caller, zone, page)],
  readRevision: ['zones.read', 'revision', (all, caller, at) => all.readRevision(caller, at.zone, number(at))],
  compareRevisions: [
    'zones.read',
    'revision',
    (all, caller, at) => all.compareRevisions(caller, at.zone, RevisionNumber.parse(1), number(at)),
  ],
  'compareRevisions the other way round': [
    'zones.read',
    'revision',
    (all, caller, at) => all.compareRevisions(caller, at.zone, number(at), RevisionNumber.parse(1)),
  ],
  evaluateRequest: [
    'zones.read',
    'revision',
    (all, caller, { zone, part }) =>
      parseRequestFacts({ url: 'https://shop.example.com/' }).asyncAndThen((facts) =>
        all.evaluateRequest(caller, zone, { facts, revision: Number(part), patch: undefined }),
      ),
  ],
  readFindings: [
    'zones.read',
    'revision',
    (all, caller, { zone, part }) => {
      const filter = { codes: [], severities: [], verdicts: [], rule: undefined };
      return all.readFindings(caller, zone, { revision: Number(part), filter, page });
    },
  ],
};

/** A write: what it needs, and how history and audit log name it. */
interface Write {
  readonly permission: Permission;
  readonly part?: Part;
  readonly call: Call;
  readonly versionOf?: (place: {
    zone: Zone;
    rule: ConfigurationRule;
    user: BasicAuthUser;
    listVersion: string;
  }) => string;
  /** Only if it is one change of a zone that remains, about this object. */
  readonly action?: string;
}

const writes: Readonly<Record<string, Write>> = {
  createRule: {
    permission: 'rules.write',
    action: 'configurationRule.created',
    call: (all, caller, at) => all.createRule(caller, listIn(at), aRuleDraft('new')),
  },
  updateRule: {
    permission: 'rules.write',
    part: 'rule',
    versionOf: ({ rule }) => ruleVersion(rule),
    action: 'configurationRule.changed',
    call: (all, caller, at) => all.updateRule(caller, listIn(at), ruleId(at), { enabled: false }, at.expected),
  },
  moveRule: {
    permission: 'rules.write',
    part: 'rule',
    versionOf: ({ rule }) => ruleVersion(rule),
    action: 'configurationRule.moved',
    call: (all, caller, at) =>
      all.moveRule(caller, listIn(at), ruleId(at), RuleMove.parse({ position: 1 }), at.expected),
  },
  deleteRule: {
    permission: 'rules.write',
    part: 'rule',
    versionOf: ({ rule }) => ruleVersion(rule),
    action: 'configurationRule.deleted',
    call: (all, caller, at) => all.deleteRule(caller, listIn(at), ruleId(at), at.expected),
  },
  replaceRules: {
    permission: 'rules.write',
    versionOf: ({ listVersion }) => listVersion,
    action: 'configurationRule.replaced',
    call: (all, caller, at) => all.replaceRules(caller, listIn(at), [], at.expected),
  },
  updateZone: {
    permission: 'zones.write',
    versionOf: ({ zone }) => zoneVersion(zone),
    action: 'zone.changed',
    call: (all, caller, { zone, expected }) =>
      all.updateZone(caller, zone, { name: 'Bakery', zone_settings: { underAttack: true } }, expected),
  },
  rotateBanToken: {
    permission: 'banToken.rotate',
    versionOf: ({ zone }) => zoneVersion(zone),
    action: 'zone.banTokenRotated',
    call: (all, caller, { zone, expected }) => all.rotateBanToken(caller, zone, expected),
  },
  deleteZone: {
    permission: 'zones.delete',
    versionOf: ({ zone }) => zoneVersion(zone),
    call: (all, caller, { zone, expected }) => all.deleteZone(caller, zone, expected),
  },
  createBasicAuthUser: {
    permission: 'basicAuthUsers.write',
    action: 'basicAuthUser.created',
    call: (all, caller, { zone }) =>
      all.createBasicAuthUser(caller, zone, BasicAuthUserDraft.parse({ username: 'grace', password: 'Secret-1' })),
  },
  updateBasicAuthUser: {
    permission: 'basicAuthUsers.write',
    part: 'user',
    versionOf: ({ user }) => basicAuthUserVersion(user),
    action: 'basicAuthUser.changed',
    call: (all, caller, at) => all.updateBasicAuthUser(caller, at.zone, userId(at), { comment: 'x' }, at.expected),
  },
  deleteBasicAuthUser: {
    permission: 'basicAuthUsers.write',
    part: 'user',
    versionOf: ({ user }) => basicAuthUserVersion(user),
    action: 'basicAuthUser.deleted',
    call: (all, caller, at) => all.deleteBasicAuthUser(caller, at.zone, userId(at), at.expected),
  },
  restoreRevision: {
    permission: 'contents.write',
    part: 'revision',
    versionOf: ({ zone }) => zoneVersion(zone),
    action: 'zone.restored',
    call: (all, caller, at) => all.restoreRevision(caller, at.zone, number(at), at.expected),
  },
};

for (const [name, [permission, part, call]] of Object.entries(reads)) {
  describe(name, () => {
    it('is allowed for viewers, and refused to outsiders, who do not learn what exists', async () => {
      const place = await aPlace();
      const { world, organization, all } = place;
      const target = targetIn(place, part);
      expect((await call(all, aMember(world, organization, 'viewer'), target)).isOk()).to.equal(true);
      const nothing = part === undefined ? target : { ...target, part: missing[part].part };
      for (const each of [target, nothing])
        expect(await call(all, anOutsider(world), each)).to.deep.equal(err(permissionDenied(permission)));
    });

    it('fails if the zone does not exist, or the part of it', () => failsWithoutTarget(part, call));
  });
}

for (const [name, { permission, part, call, versionOf, action }] of Object.entries(writes)) {
  describe(name, () => {
    it('is refused to outsiders, and to callers who lost the permission meanwhile, whatever else is wrong', async () => {
      const place = await aPlace();
      const { world, organization, owner, all } = place;
      const target = targetIn(place, part);
      setRole(world, organization, owner.userId, 'viewer');
      const before = everythingIn(world).zones;
      const denied = err(permissionDenied(permission));
      const nothing = part === undefined ? target : { ...target, part: missing[part].part };
      for (const caller of [owner, anOutsider(world)]) {
        expect(await call(all, caller, target)).to.deep.equal(denied);
        expect(await call(all, caller, { ...nothing, expected: ['other'] })).to.deep.equal(denied);
      }
      expect(everythingIn(world).zones).to.deep.equal(before);
    });

    it('fails if the zone does not exist, or the part of it', () => failsWithoutTarget(part, call));

    if (action !== undefined) {
      it(`is one change of the zone, recorded with its author as ${action}`, async () => {
        const place = await aPlace();
        const { world, owner, zone, all } = place;
        const before = revisionOf(world, zone.id)!;
        const entries = await entriesDuring(world, () => call(all, owner, targetIn(place, part)));
        expect(entries.map((entry) => [entry.action, entry.actor, entry.objects['zone']])).to.deep.equal([
          [action, owner.userId, zone.id],
        ]);
        expect(revisionOf(world, zone.id)).to.equal(before + 1);
      });
    }

    if (versionOf === undefined) return;
    it('is possible if one of the expected versions is the present one', async () => {
      const place = await aPlace();
      const target = { ...targetIn(place, part), expected: ['x', versionOf(place)] };
      expect(await refusalOf(call(place.all, place.owner, target))).to.deep.equal(['accepted']);
    });

    it('fails if no expected version is the present one, reports that, and changes nothing', async () => {
      const place = await aPlace();
      const before = everythingIn(place.world);
      for (const expected of [['x'], []]) {
        const refused = await call(place.all, place.owner, { ...targetIn(place, part), expected });
        expect(refused).to.deep.equal(err(versionMismatch(versionOf(place))));
      }
      expect(everythingIn(place.world)).to.deep.equal(before);
    });

    // A user has no position.
    if (part === 'user') return;
    it('fails if a rule has been added before', async () => {
      const place = await aPlace();
      const target = { ...targetIn(place, part), expected: [versionOf(place)] };
      await aRule(place.world, place.owner, place.zone.id, 'first', { order: 1 });
      expect(await refusalOf(call(place.all, place.owner, target))).to.deep.equal(['VersionMismatch']);
    });
  });
}

async function failsWithoutTarget(part: Part | undefined, call: Call): Promise<void> {
  const place = await aPlace();
  const { world, owner, all, other } = place;
  const before = everythingIn(world);
  const target = targetIn(place, part);
  expect(await call(all, owner, { ...target, zone: ZoneId.parse(missingId) })).to.deep.equal(err(zoneNotFound()));
  if (part === undefined) return;
  const { error, part: nothing } = missing[part];
  expect(await call(all, owner, { ...target, part: nothing })).to.deep.equal(err(error));
  // Every zone has a first revision.
  if (part !== 'revision') expect(await call(all, owner, { ...target, zone: other.id })).to.deep.equal(err(error));
  expect(everythingIn(world)).to.deep.equal(before);
}
