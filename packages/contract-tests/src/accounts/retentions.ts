import { OrganizationId } from '@zonewright/core';
import { expect } from 'chai';
import { storedOwner } from '../arrangements/index.ts';
import { contract } from '../fresh-storage.ts';
import { readView, runUnit } from '../results.ts';

/** Every adapter of the port must pass this unchanged. */
export const retentionsContract = contract('Retentions contract', (storage) => {
  const of = (id: OrganizationId) => readView(storage(), ({ retentions }) => retentions.of(id));

  it('stores the retention of each organization until it is reset to the default', async () => {
    const [{ organizationId: one }, { organizationId: other }] = [
      await storedOwner(storage()),
      await storedOwner(storage()),
    ];
    await runUnit(storage(), ({ retentions }) => retentions.set(one, 'auditLog', 30));
    await runUnit(storage(), ({ retentions }) => retentions.set(one, 'history', 'forever'));
    await runUnit(storage(), ({ retentions }) => retentions.set(one, 'auditLog', 60));
    await runUnit(storage(), ({ retentions }) => retentions.set(other, 'historyDetail', 7));
    expect(await of(one)).to.deep.equal({ auditLog: 60, history: 'forever' });
    expect(await of(other)).to.deep.equal({ historyDetail: 7 });
    await runUnit(storage(), ({ retentions }) => retentions.set(one, 'history', undefined));
    expect(await of(one)).to.deep.equal({ auditLog: 60 });
  });

  it('does nothing for an organization that does not exist', async () => {
    const nobody = OrganizationId.parse(2_000_000_000);
    await runUnit(storage(), ({ retentions }) => retentions.set(nobody, 'history', 1));
    expect(await of(nobody)).to.deep.equal({});
  });
});
