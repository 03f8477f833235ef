import { type UserId, useCases, VerificationCode } from '@zonewright/core';
import { expect } from 'chai';
import { enforceTwoFactor, storedMember, storedOwner, storedSecondFactor } from '../arrangements/index.ts';
import { anOrganizationName } from '../builders/index.ts';
import { casesOn, fakePorts } from '../fakes.ts';
import { goesOn, hold } from '../gate.ts';
import { errorOf, okOf, rounds, runUnit, tally } from '../results.ts';
import type { Storage } from '../storage.ts';

/**
 * Part of the contract of memberships: which organizations require two-factor authentication, locked while a unit
 * relies on it.
 */
export function twoFactorEnforcement(storage: () => Storage): void {
  const enforcingOf = (user: UserId) => runUnit(storage(), ({ memberships }) => memberships.lockEnforcing(user));

  it('returns the user’s organizations that require a second factor', async () => {
    const [own, joined, foreign] = [
      await storedOwner(storage()),
      await storedOwner(storage()),
      await storedOwner(storage()),
    ];
    await storage().setRole(joined.organizationId, own.userId, 'viewer');
    expect(await enforcingOf(own.userId)).to.deep.equal([]);
    await enforceTwoFactor(storage(), foreign.organizationId);
    await enforceTwoFactor(storage(), joined.organizationId);
    expect(await enforcingOf(own.userId)).to.deep.equal([joined.organizationId]);
    await enforceTwoFactor(storage(), own.organizationId);
    expect(await enforcingOf(own.userId)).to.have.members([own.organizationId, joined.organizationId]);
    await enforceTwoFactor(storage(), joined.organizationId, false);
    expect(await enforcingOf(own.userId)).to.deep.equal([own.organizationId]);
  });

  for (const demanded of [true, false]) {
    it(`makes an organization that ${demanded ? 'starts' : 'stops'} to require one wait until the unit ends`, async () => {
      const { userId, organizationId } = await storedOwner(storage());
      if (!demanded) await enforceTwoFactor(storage(), organizationId);
      const held = await hold(storage(), ({ memberships }) => memberships.lockEnforcing(userId));
      const change = enforceTwoFactor(storage(), organizationId, demanded);
      expect(await okOf(held.endBefore(change, ({ memberships }) => memberships.lockEnforcing(userId)))).to.deep.equal(
        demanded ? [] : [organizationId],
      );
      await change;
      expect(await enforcingOf(userId)).to.deep.equal(demanded ? [organizationId] : []);
    });
  }

  it('waits for an organization that is starting to require one, and sees it', async () => {
    const { userId, organizationId: id } = await storedOwner(storage());
    const held = await hold(storage(), ({ organizations }) => organizations.lock(id));
    const found = enforcingOf(userId);
    await okOf(
      held.endBefore(found, ({ organizations }) =>
        organizations.save(id, { name: anOrganizationName(), enforceTwoFactor: true }),
      ),
    );
    expect(await found).to.deep.equal([id]);
  });

  it('does not block another member who reads concurrently', async () => {
    const { userId, organizationId } = await storedOwner(storage());
    const { userId: other } = await storedMember(storage(), organizationId, 'viewer');
    const held = await hold(storage(), ({ memberships }) => memberships.lockEnforcing(userId));
    const found = enforcingOf(other);
    expect(await goesOn(storage(), found)).to.equal(true);
    await okOf(held.release());
    expect(await found).to.deep.equal([]);
  });

  it('refuses to disable two-factor authentication while an organization introduces the requirement', async () => {
    const { organizationId: id } = await storedOwner(storage());
    const member = await storedMember(storage(), id, 'viewer');
    await storedSecondFactor(storage(), member.userId);
    const held = await hold(storage(), ({ organizations }) => organizations.lock(id));
    const disable = casesOn(storage()).disableTwoFactor;
    const disabled = disable(member, VerificationCode.parse('123456'));
    await okOf(
      held.endBefore(disabled, ({ organizations }) =>
        organizations.save(id, { name: anOrganizationName(), enforceTwoFactor: true }),
      ),
    );
    expect(await errorOf(disabled)).to.deep.equal({ type: 'TwoFactorEnforced', organization: id });
    expect(await runUnit(storage(), ({ twoFactors }) => twoFactors.lock(member.userId))).to.include({
      state: 'enabled',
    });
  });

  it('never lets an owner require two-factor authentication while disabling their own', async () => {
    for (const _ of rounds) {
      const { caller, userId, organizationId } = await storedOwner(storage());
      await storedSecondFactor(storage(), userId);
      const dependencies = { unitOfWork: storage().unitOfWork, ...fakePorts };
      const [changed, disabled] = await Promise.all([
        useCases(dependencies).updateOrganization(caller, organizationId, { enforceTwoFactor: true }, undefined),
        useCases(dependencies).disableTwoFactor(caller, VerificationCode.parse('123456')),
      ]);
      expect([tally([changed]), tally([disabled])]).to.be.deep.oneOf([
        [{ Ok: 1 }, { TwoFactorEnforced: 1 }],
        [{ OwnSecondFactorMissing: 1 }, { Ok: 1 }],
      ]);
    }
  });
}
