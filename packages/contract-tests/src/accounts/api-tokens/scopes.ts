import type { OrganizationId, TokenHash } from '@zonewright/core';
import { expect } from 'chai';
import { removeOrganization, storedOwner, storedZone } from '../../arrangements/index.ts';
import { anOrganizationName, aZoneId } from '../../builders/index.ts';
import { okOf, readView, runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { added, callerOf } from './tokens.ts';

/** Which memberships a token has. */
export function scopes(storage: () => Storage): void {
  const membershipsOf = async (hash: TokenHash) => [...(await okOf(callerOf(storage(), hash))).memberships];
  const asOwner = (id: OrganizationId) => [id, { role: 'owner', needsTwoFactor: false }];

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
}

/** The organizations of the zones that a token is limited to. */
export function zonesOfTokens(storage: () => Storage): void {
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
