import { OrganizationId } from '@zonewright/core';
import { expect } from 'chai';
import { storedMember, storedOwner, storedZone } from './arrangements.ts';
import { anAuditEntry } from './builders.ts';
import { freshStorage } from './fresh-storage.ts';
import { readView, runUnit } from './results.ts';
import type { OpenStorage } from './storage.ts';

/** Every adapter of the port must pass this unchanged. */
export function directoryContract(adapter: string, open: OpenStorage): void {
  describe(`Directory contract: ${adapter}`, () => {
    const storage = freshStorage(open);
    const organizations = (after: OrganizationId | undefined, limit: number) =>
      readView(storage(), ({ directory }) => directory.organizations({ after, limit }));
    const entries = (after: string | undefined, limit: number) =>
      readView(storage(), ({ directory }) => directory.auditEntries({ after, limit }));

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
}
