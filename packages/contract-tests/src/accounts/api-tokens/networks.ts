import { TokenNetwork, type UserId } from '@zonewright/core';
import { expect } from 'chai';
import { storedZone } from '../../arrangements/index.ts';
import { wholeList } from '../../builders/index.ts';
import { errorOf, okOf } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { added, callerOf, list } from './tokens.ts';

/** From where a token may be used. */
export function networks(storage: () => Storage): void {
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
