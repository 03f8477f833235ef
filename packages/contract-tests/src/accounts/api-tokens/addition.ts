import { ApiTokenName, TokenNetwork, type UserId } from '@zonewright/core';
import { expect } from 'chai';
import { storedAccount, storedOwner } from '../../arrangements/index.ts';
import { anApiToken, aTokenHash, aZoneId, type NewApiToken } from '../../builders/index.ts';
import { expectOneWinner } from '../../races.ts';
import { errorOf, okOf, rounds } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { add, added, callerOf, list, revoke, secondsAfter, storedNow } from './tokens.ts';

/** What is stored of a token, and which expiry is refused. */
export function addition(storage: () => Storage): void {
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
}

/** Names, unique among the tokens of a user that are not revoked. */
export function names(storage: () => Storage): void {
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
