import {
  ApiTokenDraft,
  ApiTokenId,
  ApiTokenName,
  defaultUsageLimits,
  type OrganizationId,
  type TokenHash,
  TokenNetwork,
  type UserId,
} from '@zonewright/core';
import { expect } from 'chai';
import {
  block,
  enforceTwoFactor,
  removeOrganization,
  rollBack,
  storedAccount,
  storedOwner,
  storedSecondFactor,
  storedUnverified,
  storedZone,
  userOf,
} from './arrangements.ts';
import {
  anApiToken,
  anOrganizationName,
  aTokenHash,
  aZoneId,
  type NewApiToken,
  unique,
  uuid,
  wholeList,
} from './builders.ts';
import { casesOn } from './fakes.ts';
import { contract } from './fresh-storage.ts';
import { goesOn, hold } from './gate.ts';
import { readInPages } from './pages.ts';
import { expectOneWinner } from './races.ts';
import { concurrently, errorOf, okOf, raceSize, readView, rounds, runUnit, sequentially, tally } from './results.ts';
import type { Storage } from './storage.ts';

/** Every adapter of the port must pass this unchanged. */
export const apiTokensContract = contract('ApiTokens contract', (storage) => {
  describe('add', () => addition(storage));
  describe('add and uniqueness of names', () => names(storage));
  describe('lockActive', () => activeCount(storage));
  describe('list', () => lists(storage));
  describe('revoke', () => revocation(storage));
  describe('caller', () => recognition(storage));
  describe('caller with a scoped token', () => scopes(storage));
  describe('caller with a token for some networks', () => networks(storage));
  describe('organizationsOf', () => zonesOfTokens(storage));
});

const add = ({ unitOfWork }: Storage, token: NewApiToken) => unitOfWork.run(({ apiTokens }) => apiTokens.add(token));
const added = async (storage: Storage, given: Partial<NewApiToken> = {}): Promise<NewApiToken> => {
  const token = anApiToken({ ...given, userId: await userOf(storage, given) });
  await okOf(add(storage, token));
  return token;
};
const list = (storage: Storage, user: UserId, page = wholeList) =>
  readView(storage, ({ apiTokens }) => apiTokens.list(user, page));
const revoke = ({ unitOfWork }: Storage, { userId, id }: Pick<NewApiToken, 'userId' | 'id'>) =>
  unitOfWork.run(({ apiTokens }) => apiTokens.revoke(userId, id));
const callerOf = ({ unitOfWork }: Storage, hash: TokenHash, address?: string) =>
  unitOfWork.session({ kind: 'apiToken', hash, address }).caller();

/** The storage's clock, as far as a token reveals it. */
async function storedNow(storage: Storage): Promise<Date> {
  const { userId } = await added(storage);
  const [token] = (await list(storage, userId)).items;
  return token!.createdAt;
}
const secondsAfter = (moment: Date, seconds: number) => new Date(moment.getTime() + seconds * 1000);

function addition(storage: () => Storage): void {
  it('stores what it is given', async () => {
    const { organizationId, userId } = await storedOwner(storage());
    const expiresAt = secondsAfter(await storedNow(storage()), 3600).toISOString();
    const {
      hash: _,
      userId: __,
      ...token
    } = anApiToken({
      userId,
      readOnly: true,
      organizations: [organizationId],
      expiresAt,
      permissions: ['zones:read', 'rules:write'],
      zones: [aZoneId(), aZoneId()],
      networks: [TokenNetwork.parse('203.0.113.0/24'), TokenNetwork.parse('2001:db8::1')],
      name: ApiTokenName.parse('Backups ☂'),
    });
    const { createdAt, ...rest } = await okOf(add(storage(), { ...token, hash: aTokenHash(), userId }));
    const unused = { lastUsedAt: undefined, lastUsedNetwork: undefined, active: true };
    expect(rest).to.deep.equal({ ...token, expiresAt: new Date(expiresAt), ...unused });
    expect(createdAt).to.be.an.instanceOf(Date);
    expect((await list(storage(), userId)).items).to.deep.equal([{ ...rest, createdAt }]);
  });

  it('stores a token without expiry', async () => {
    const { userId, hash } = await added(storage());
    await storage().passTime(100_000_000);
    expect((await list(storage(), userId)).items).to.have.nested.property('[0].expiresAt', undefined);
    expect((await callerOf(storage(), hash)).isOk()).to.equal(true);
  });

  it('parses the expiry time with any offset', async () => {
    const inAnHour = secondsAfter(await storedNow(storage()), 3600);
    const expiresAt = `${secondsAfter(inAnHour, 7200).toISOString().slice(0, -1)}+02:00`;
    const { userId } = await added(storage(), { expiresAt });
    expect((await list(storage(), userId)).items[0]?.expiresAt).to.deep.equal(inAnHour);
  });

  for (const seconds of [0, -1, -100_000_000]) {
    it(`refuses a token that would have expired ${-seconds} seconds ago, and stores nothing`, async () => {
      const { id: userId } = await storedAccount(storage());
      const expiresAt = secondsAfter(await storedNow(storage()), seconds).toISOString();
      expect(await errorOf(add(storage(), anApiToken({ userId, expiresAt })))).to.deep.equal({
        type: 'ExpiryInThePast',
      });
      expect((await list(storage(), userId)).totalItems).to.equal(0);
    });
  }

  it('leaves nothing if the unit is rolled back', async () => {
    const { id: userId } = await storedAccount(storage());
    const token = anApiToken({ userId });
    await rollBack(storage(), ({ apiTokens }) => apiTokens.add(token));
    expect((await list(storage(), userId)).totalItems).to.equal(0);
    expect((await callerOf(storage(), token.hash)).isErr()).to.equal(true);
  });
}

function names(storage: () => Storage): void {
  const named = (userId: UserId, name: string, given: Partial<NewApiToken> = {}) =>
    add(storage(), anApiToken({ userId, name: ApiTokenName.parse(name), ...given }));
  const isTaken = async (userId: UserId, name: string) => {
    expect(await errorOf(named(userId, name))).to.deep.equal({ type: 'ApiTokenNameTaken' });
  };

  it('compares names case-insensitively', async () => {
    const { id: userId } = await storedAccount(storage());
    await okOf(named(userId, 'Straße ÉTÉ'));
    await isTaken(userId, 'straße été');
    await okOf(named(userId, 'straße été 2'));
  });

  it('lets different users have the same name', async () => {
    await okOf(named((await storedAccount(storage())).id, 'Backups'));
    await okOf(named((await storedAccount(storage())).id, 'Backups'));
  });

  it('frees the name of a revoked token, but not of an expired one', async () => {
    const { id: userId } = await storedAccount(storage());
    const expiresAt = secondsAfter(await storedNow(storage()), 60).toISOString();
    const { id } = await okOf(named(userId, 'Backups', { expiresAt }));
    await storage().passTime(120);
    await isTaken(userId, 'Backups');
    await okOf(revoke(storage(), { userId, id }));
    await okOf(named(userId, 'Backups'));
  });

  it('lets exactly one of twenty concurrent additions have the name', async () => {
    for (const _ of rounds) {
      const { id: userId } = await storedAccount(storage());
      await expectOneWinner('ApiTokenNameTaken', () => named(userId, 'Backups'));
    }
  });
}

function activeCount(storage: () => Storage): void {
  const countOf = (user: UserId) =>
    runUnit(storage(), ({ apiTokens }) => apiTokens.lockActive(user).map(({ used }) => used));

  it('counts the tokens that are neither revoked nor expired', async () => {
    const { id: userId } = await storedAccount(storage());
    expect(await countOf(userId)).to.equal(0);
    const expiresAt = secondsAfter(await storedNow(storage()), 60).toISOString();
    await added(storage(), { userId, expiresAt });
    const revoked = await added(storage(), { userId });
    await added(storage(), { userId });
    await added(storage());
    expect(await countOf(userId)).to.equal(3);
    await okOf(revoke(storage(), revoked));
    expect(await countOf(userId)).to.equal(2);
    await storage().passTime(120);
    expect(await countOf(userId)).to.equal(1);
  });

  it('makes other units that add tokens of the user wait, and shows them the first one', async () => {
    const { id: userId } = await storedAccount(storage());
    const held = await hold(storage(), ({ apiTokens }) => apiTokens.lockActive(userId));
    const second = countOf(userId);
    await okOf(held.endBefore(second, ({ apiTokens }) => apiTokens.add(anApiToken({ userId }))));
    expect(await second).to.equal(1);
  });

  it('does not block units of other users', async () => {
    const [ada, grace] = [await storedAccount(storage()), await storedAccount(storage())];
    const held = await hold(storage(), ({ apiTokens }) => apiTokens.lockActive(ada.id));
    const elsewhere = countOf(grace.id);
    expect(await goesOn(storage(), elsewhere)).to.equal(true);
    await okOf(held.release());
    expect(await elsewhere).to.equal(0);
  });

  it('keeps the limit when twenty tokens are created with room for one', async () => {
    for (const _ of rounds) {
      const { caller, userId } = await storedOwner(storage());
      const few = Array.from({ length: defaultUsageLimits.apiTokens - 1 }, () => anApiToken({ userId }));
      await runUnit(storage(), ({ apiTokens }) => sequentially(few, (token) => apiTokens.add(token)));
      const create = casesOn(storage()).createApiToken;
      await expectOneWinner('apiToken.limit', () => create(caller, ApiTokenDraft.parse({ name: `token ${unique()}` })));
      expect(await countOf(userId)).to.equal(defaultUsageLimits.apiTokens);
    }
  });
}

function lists(storage: () => Storage): void {
  it('lists the user’s tokens, newest first, including ended ones', async () => {
    const { id: userId } = await storedAccount(storage());
    const ids: ApiTokenId[] = [];
    for (let index = 0; index < 3; index += 1) {
      ids.unshift((await added(storage(), { userId })).id);
      await storage().passTime(1);
    }
    await added(storage());
    await okOf(revoke(storage(), { userId, id: ids[1]! }));
    const { items, totalItems } = await list(storage(), userId);
    expect(items.map(({ id, active }) => ({ id, active }))).to.deep.equal([
      { id: ids[0], active: true },
      { id: ids[1], active: false },
      { id: ids[2], active: true },
    ]);
    expect(totalItems).to.equal(3);
  });

  it('returns the requested page, always with the total', async () => {
    const { id: userId } = await storedAccount(storage());
    for (let index = 0; index < 3; index += 1) await added(storage(), { userId });
    expect(await readInPages((page) => list(storage(), userId, page))).to.have.lengthOf(3);
  });

  it('lists an expired token as inactive', async () => {
    const expiresAt = secondsAfter(await storedNow(storage()), 60).toISOString();
    const { userId } = await added(storage(), { expiresAt });
    expect((await list(storage(), userId)).items[0]).to.include({ active: true });
    await storage().passTime(60);
    expect((await list(storage(), userId)).items[0]).to.include({ active: false });
  });
}

function revocation(storage: () => Storage): void {
  const isMissing = async (token: Pick<NewApiToken, 'userId' | 'id'>) => {
    expect(await errorOf(revoke(storage(), token))).to.deep.equal({ type: 'ApiTokenNotFound' });
  };

  it('ends the token', async () => {
    const token = await added(storage());
    await okOf(revoke(storage(), token));
    expect(await errorOf(callerOf(storage(), token.hash))).to.deep.equal({ type: 'Unauthenticated' });
  });

  it('finds no token that is unknown, revoked or someone else’s', async () => {
    const token = await added(storage());
    await isMissing({ userId: token.userId, id: ApiTokenId.parse(uuid()) });
    await isMissing({ userId: (await storedAccount(storage())).id, id: token.id });
    expect((await callerOf(storage(), token.hash)).isOk()).to.equal(true);
    await okOf(revoke(storage(), token));
    await isMissing(token);
  });

  it('revokes an expired token, so that its name is free', async () => {
    const expiresAt = secondsAfter(await storedNow(storage()), 60).toISOString();
    const token = await added(storage(), { expiresAt });
    await storage().passTime(120);
    await okOf(revoke(storage(), token));
    await added(storage(), { userId: token.userId, name: token.name });
  });

  it('lets exactly one of twenty concurrent calls succeed', async () => {
    for (const _ of rounds) {
      const token = await added(storage());
      await expectOneWinner('ApiTokenNotFound', () => revoke(storage(), token));
    }
  });
}

function recognition(storage: () => Storage): void {
  const isRefused = async (hash: TokenHash) => {
    expect(await errorOf(callerOf(storage(), hash))).to.deep.equal({ type: 'Unauthenticated' });
  };
  const lastUsedAt = async (userId: UserId) => (await list(storage(), userId)).items[0]?.lastUsedAt;

  for (const readOnly of [true, false]) {
    it(`authenticates the user with a token that is ${readOnly ? 'read-only' : 'unrestricted'}`, async () => {
      const { userId, hash, id } = await added(storage(), { readOnly });
      expect(await okOf(callerOf(storage(), hash))).to.deep.equal({
        userId,
        credential: { kind: 'apiToken', id, readOnly, scoped: false, permissions: ['admin'], zones: undefined },
        memberships: new Map(),
      });
    });
  }

  it('refuses a token that was never added', async () => {
    await added(storage());
    await isRefused(aTokenHash());
  });

  it('authenticates the user until the token expires', async () => {
    const expiresAt = secondsAfter(await storedNow(storage()), 1000).toISOString();
    const { hash } = await added(storage(), { expiresAt });
    await storage().passTime(900);
    expect((await callerOf(storage(), hash)).isOk()).to.equal(true);
    await storage().passTime(100);
    await isRefused(hash);
  });

  it('refuses the tokens of a blocked account, and of one with an unverified address', async () => {
    const blocked = await added(storage());
    await block(storage(), blocked.userId);
    await isRefused(blocked.hash);
    const account = await storedUnverified(storage());
    const unverified = await added(storage(), { userId: account.id });
    await isRefused(unverified.hash);
  });

  it('survives the end of the user’s sessions and password changes', async () => {
    const { hash, userId } = await added(storage());
    await runUnit(storage(), ({ sessions }) => sessions.endAllOf(userId));
    await storage().changeCredentials(userId);
    expect((await callerOf(storage(), hash)).isOk()).to.equal(true);
  });

  it('records the use, and another one after a minute', async () => {
    const { hash, userId } = await added(storage());
    await okOf(callerOf(storage(), hash));
    const first = await lastUsedAt(userId);
    expect(first).to.be.an.instanceOf(Date);
    await okOf(callerOf(storage(), hash));
    expect(await lastUsedAt(userId)).to.deep.equal(first);
    await storage().passTime(60);
    const noted = await lastUsedAt(userId);
    await okOf(callerOf(storage(), hash));
    const next = await lastUsedAt(userId);
    expect(next!.getTime() - noted!.getTime()).to.be.at.least(0);
    expect(secondsAfter(await storedNow(storage()), -50) < next!, 'the recorded use is current').to.equal(true);
  });

  it('records no use of a refused token', async () => {
    const token = await added(storage());
    await okOf(revoke(storage(), token));
    await isRefused(token.hash);
    expect(await lastUsedAt(token.userId)).to.equal(undefined);
  });

  it('authenticates twenty concurrent requests with one token', async () => {
    const { hash } = await added(storage());
    for (const _ of rounds) {
      expect(tally(await concurrently(raceSize, () => callerOf(storage(), hash)))).to.deep.equal({ Ok: raceSize });
      await storage().passTime(60);
    }
  });
}

function scopes(storage: () => Storage): void {
  const membershipsOf = async (hash: TokenHash) => [...(await okOf(callerOf(storage(), hash))).memberships];
  const asOwner = (id: OrganizationId, needsTwoFactor = false) => [id, { role: 'owner', needsTwoFactor }];

  it('has the current memberships, including later ones', async () => {
    const [own, other] = [await storedOwner(storage()), await storedOwner(storage())];
    const { hash } = await added(storage(), { userId: own.userId });
    expect(await membershipsOf(hash)).to.deep.equal([asOwner(own.organizationId)]);
    await storage().setRole(other.organizationId, own.userId, 'viewer');
    expect(await membershipsOf(hash)).to.deep.equal([
      asOwner(own.organizationId),
      [other.organizationId, { role: 'viewer', needsTwoFactor: false }],
    ]);
    await storage().setRole(own.organizationId, own.userId, undefined);
    expect((await membershipsOf(hash)).map(([id]) => id)).to.deep.equal([other.organizationId]);
  });

  it('has no memberships outside its scope', async () => {
    const [own, other] = [await storedOwner(storage()), await storedOwner(storage())];
    await storage().setRole(other.organizationId, own.userId, 'admin');
    const { hash } = await added(storage(), { userId: own.userId, organizations: [own.organizationId] });
    expect(await membershipsOf(hash)).to.deep.equal([asOwner(own.organizationId)]);
    expect((await okOf(callerOf(storage(), hash))).credential).to.include({ scoped: true });
    await storage().setRole(own.organizationId, own.userId, undefined);
    expect(await membershipsOf(hash)).to.deep.equal([]);
  });

  it('does not become unscoped when its only organization is removed', async () => {
    const { organizationId, userId } = await storedOwner(storage());
    await runUnit(storage(), ({ organizations }) =>
      organizations.create({ name: anOrganizationName(), owner: userId }),
    );
    const { hash } = await added(storage(), { userId, organizations: [organizationId] });
    await removeOrganization(storage(), organizationId);
    expect(await membershipsOf(hash)).to.deep.equal([]);
  });

  it('reports which organization requires a second factor that the user lacks', async () => {
    const { organizationId, userId } = await storedOwner(storage());
    const { hash } = await added(storage(), { userId });
    await enforceTwoFactor(storage(), organizationId);
    expect(await membershipsOf(hash)).to.deep.equal([asOwner(organizationId, true)]);
    await storedSecondFactor(storage(), userId);
    expect(await membershipsOf(hash)).to.deep.equal([asOwner(organizationId)]);
  });
}

function networks(storage: () => Storage): void {
  const lastUse = async (userId: UserId) => {
    const { lastUsedAt, lastUsedNetwork } = (await list(storage(), userId)).items[0]!;
    return { isUsed: lastUsedAt !== undefined, lastUsedNetwork };
  };
  const limited = async () => {
    const { organizationId, userId, zone } = await storedZone(storage());
    const limits = { permissions: ['rules:write'], zones: [zone.id] } as const;
    const ranges = ['203.0.113.0/24', '2001:db8:1::/48'].map((each) => TokenNetwork.parse(each));
    return { organizationId, limits, ...(await added(storage(), { userId, ...limits, networks: ranges })) };
  };

  it('has the limits of the token', async () => {
    const { hash, limits } = await limited();
    expect((await okOf(callerOf(storage(), hash, '203.0.113.7'))).credential).to.deep.include(limits);
  });

  for (const [address, network] of [
    ['203.0.113.7', '203.0.113.0/24'],
    ['::ffff:203.0.113.255', '203.0.113.0/24'],
    ['2001:db8:1:2::3', '2001:db8:1::/48'],
  ] as const) {
    it(`records a use from ${address} as one from ${network}`, async () => {
      const { hash, userId } = await limited();
      await okOf(callerOf(storage(), hash, address));
      expect(await lastUse(userId)).to.deep.equal({ isUsed: true, lastUsedNetwork: network });
    });
  }

  for (const address of ['203.0.114.7', '2001:db8:2::1', '', undefined]) {
    it(`refuses a use from ${address === '' ? 'an unreadable address' : (address ?? 'nowhere')}, which is none`, async () => {
      const { hash, userId, id } = await limited();
      const refusal = { type: 'ForeignNetwork', user: userId, apiToken: id };
      expect(await errorOf(callerOf(storage(), hash, address))).to.deep.equal(refusal);
      expect(await lastUse(userId)).to.deep.equal({ isUsed: false, lastUsedNetwork: undefined });
    });
  }

  it('does so along with everything that a request is about', async () => {
    const { hash, userId, id, organizationId, limits } = await limited();
    const [zone] = limits.zones;
    const query = { organization: organizationId, tags: [], search: undefined, sort: [], ...wholeList };
    for (const subject of [
      { kind: 'profile' },
      { kind: 'zone', id: zone },
      { kind: 'zone change', id: zone },
      { kind: 'zone list', query },
    ] as const) {
      const open = (address: string) => storage().unitOfWork.session({ kind: 'apiToken', hash, address }, subject);
      const refusal = { type: 'ForeignNetwork', user: userId, apiToken: id };
      expect(await errorOf(open('203.0.114.7').caller())).to.deep.equal(refusal);
      expect((await okOf(open('203.0.113.7').caller())).credential).to.deep.include(limits);
    }
  });

  it('accepts a token without networks from anywhere', async () => {
    const { hash, userId } = await added(storage());
    await okOf(callerOf(storage(), hash));
    expect(await lastUse(userId)).to.deep.equal({ isUsed: true, lastUsedNetwork: undefined });
  });
}

function zonesOfTokens(storage: () => Storage): void {
  it('has the organizations of the zones that exist', async () => {
    const [one, other] = [await storedZone(storage()), await storedZone(storage())];
    const ids = [one.zone.id, aZoneId(), other.zone.id];
    const found = await readView(storage(), ({ apiTokens }) => apiTokens.organizationsOf(ids));
    expect(new Map(found)).to.deep.equal(
      new Map([
        [one.zone.id, one.organizationId],
        [other.zone.id, other.organizationId],
      ]),
    );
  });
}
