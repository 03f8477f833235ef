import { OrganizationId, type UserId } from '@zonewright/core';
import { expect } from 'chai';
import { storedMember, storedOwner, storedZone } from '../arrangements/index.ts';
import { anAuditEntry } from '../builders/index.ts';
import { contract } from '../fresh-storage.ts';
import { readView, runUnit } from '../results.ts';

/** Every adapter of the port must pass this unchanged. */
export const directoryContract = contract('Directory contract', (storage) => {
  const organizations = (after: OrganizationId | undefined, limit: number) =>
    readView(storage(), ({ directory }) => directory.organizations({ after, limit }));
  const entries = (after: string | undefined, limit: number) =>
    readView(storage(), ({ directory }) => directory.auditEntries({ after, limit }));

  it('lists every account in the order of ids, slice by slice, with the number of its organizations', async () => {
    const owner = await storedOwner(storage());
    const member = await storedMember(storage(), owner.organizationId, 'viewer');
    const all = (after: UserId | undefined, limit: number) =>
      readView(storage(), ({ directory }) => directory.accounts({ after, limit }));
    const [first, second] = [owner.userId, member.userId].toSorted();
    const accounts = [...(await all(undefined, 1)), ...(await all(first, 2)), ...(await all(second, 1))];
    expect(accounts.map(({ id, organizations }) => ({ id, organizations }))).to.deep.equal([
      { id: first, organizations: 1 },
      { id: second, organizations: 1 },
    ]);
    const profile = await readView(storage(), ({ accounts: stored }) => stored.profile(owner.userId));
    const { organizations: _, ...entry } = accounts.find(({ id }) => id === owner.userId)!;
    expect(profile).to.include({ ...entry, createdAt: profile.createdAt });
  });

  it('lists the members of one organization in the order of ids, slice by slice', async () => {
    const owner = await storedOwner(storage());
    await storedOwner(storage());
    const member = await storedMember(storage(), owner.organizationId, 'viewer');
    const membersAfter = (after: UserId | undefined, limit: number) =>
      readView(storage(), ({ directory }) => directory.members(owner.organizationId, { after, limit }));
    const roles = { [owner.userId]: 'owner', [member.userId]: 'viewer' };
    const [first, second] = [owner.userId, member.userId].toSorted();
    const members = [...(await membersAfter(undefined, 1)), ...(await membersAfter(first, 2))];
    expect(members.map(({ id, role }) => ({ id, role }))).to.deep.equal([
      { id: first, role: roles[first!] },
      { id: second, role: roles[second!] },
    ]);
    const { email, firstName } = await readView(storage(), ({ accounts }) => accounts.profile(first!));
    expect(members[0]).to.include({ email, firstName, twoFactorEnabled: false });
    expect(await membersAfter(second, 1)).to.deep.equal([]);
  });

  it('lists every organization in the order of ids, slice by slice, with its counts', async () => {
    const owners = [await storedOwner(storage()), await storedOwner(storage()), await storedOwner(storage())];
    const [first, second, third] = owners.map(({ organizationId }) => organizationId);
    await storedMember(storage(), second!, 'viewer');
    await storedZone(storage(), { organizationId: third! });
    // The zone's creator owns another organization.
    const found = [...(await organizations(undefined, 2)), ...(await organizations(second, 1))];
    expect(found.map(({ id, members, zones }) => ({ id, members, zones }))).to.deep.equal([
      { id: first, members: 1, zones: 0 },
      { id: second, members: 2, zones: 0 },
      { id: third, members: 1, zones: 1 },
    ]);
    const [one] = found;
    expect({ ...one, members: undefined, zones: undefined }).to.deep.equal({
      ...(await readView(storage(), ({ organizations: all }) => all.byId(first!))),
      members: undefined,
      zones: undefined,
    });
    expect(await organizations(OrganizationId.parse(2_000_000_000), 2)).to.deep.equal([]);
  });

  it('lists the entries of all organizations and of none in the order recorded, slice by slice', async () => {
    const { organizationId: organization } = await storedOwner(storage());
    const recorded = [
      anAuditEntry({ action: 'zone.created', organization }),
      anAuditEntry({ action: 'login.failed', organization: undefined }),
      anAuditEntry({ action: 'zone.deleted', organization }),
    ];
    for (const entry of recorded) await runUnit(storage(), ({ auditLog }) => auditLog.record(entry));
    const first = await entries(undefined, 2);
    const rest = await entries(first.at(-1)?.id, 2);
    expect([...first, ...rest].map(({ id: _, at: __, ...entry }) => entry)).to.deep.equal(recorded);
    expect([first.length, rest.length, await entries(rest.at(-1)?.id, 2)]).to.deep.equal([2, 1, []]);
  });
});
