import { expect } from 'chai';
import { ok } from 'neverthrow';
import { listBasicAuthUsers, readBasicAuthUser } from '../../../../src/zones/basic-auth-users/read-basic-auth-users.ts';
import { aBasicAuthUser } from '../../../support/basic-auth-users.ts';
import { valueOf } from '../../../support/outcomes.ts';
import { aWorld } from '../../../support/world.ts';
import { anOrganizationWithZone, aZone } from '../../../support/zones.ts';

const everybody = { username: undefined, page: 1, itemsPerPage: 30 };

const aWorldWithUsers = async (...names: readonly string[]) => {
  const world = aWorld();
  const arranged = await anOrganizationWithZone(world);
  const users = [];
  for (const name of names) users.push(await aBasicAuthUser(world, arranged.owner, arranged.zone.id, name));
  return { world, ...arranged, users, list: listBasicAuthUsers(world), read: readBasicAuthUser(world) };
};

describe('listBasicAuthUsers', () => {
  it('lists the zone’s users by name, without passwords or hashes', async () => {
    const { world, owner, zone, users, list } = await aWorldWithUsers('grace', 'Alan', 'ada');
    const other = await aZone(world, owner, { name: 'Other' });
    await aBasicAuthUser(world, owner, other.id, 'elsewhere');
    const page = await valueOf(list(owner, zone.id, everybody));
    expect(page).to.deep.equal({ items: [users[1], users[2], users[0]], totalItems: 3 });
    expect(JSON.stringify(page)).to.not.include('Secret-1');
  });

  it('passes part of the name and page to storage', async () => {
    const { owner, zone, users, list } = await aWorldWithUsers('grace', 'Alan', 'ada');
    const page = await valueOf(list(owner, zone.id, { username: 'A', itemsPerPage: 2, page: 2 }));
    expect(page).to.deep.equal({ items: [users[0]], totalItems: 3 });
  });
});

describe('readBasicAuthUser', () => {
  it('shows the user without a password or a hash', async () => {
    const { owner, zone, users, read } = await aWorldWithUsers('ada');
    const found = await read(owner, zone.id, users[0]!.id);
    expect(found).to.deep.equal(ok(users[0]));
    expect(JSON.stringify(found)).to.not.include('Secret-1');
  });
});
