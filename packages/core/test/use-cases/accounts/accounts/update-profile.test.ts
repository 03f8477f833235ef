import { accountNotFound, type JsonObject, profileVersion, UserId, versionMismatch } from '@zonewright/core';
import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import { readProfile } from '../../../../src/accounts/accounts/read-accounts.ts';
import { updateProfile } from '../../../../src/accounts/accounts/update-profile.ts';
import { callerOf } from '../../../support/organizations.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { entriesDuring } from '../../../support/traces.ts';
import { aWorldWithCaller } from '../../../support/two-factor.ts';
import { everythingIn } from '../../../support/world.ts';

describe('updateProfile', () => {
  it('changes the given members, and returns the new profile', async () => {
    const { world, id, caller } = await aWorldWithCaller();
    const before = await valueOf(readProfile(world)({ userId: id }));
    world.clock.advance(60);
    const changed = await valueOf(updateProfile(world)(caller, { firstName: ' Augusta ' }, undefined));
    expect(changed).to.deep.equal({
      ...before,
      firstName: 'Augusta',
      updatedAt: world.clock.now(),
      revision: before.revision + 1,
    });
    expect(await readProfile(world)({ userId: id })).to.deep.equal(ok(changed));
  });

  it('leaves no trace if nothing changes', async () => {
    const { world, id, caller } = await aWorldWithCaller();
    const { firstName, lastName } = await valueOf(readProfile(world)({ userId: id }));
    const before = everythingIn(world);
    world.clock.advance(60);
    for (const patch of [{}, { firstName }, { firstName: ` ${firstName} `, lastName }]) {
      expect(await refusalOf(updateProfile(world)(caller, patch, undefined))).to.deep.equal(['accepted']);
    }
    expect(everythingIn(world)).to.deep.equal(before);
  });

  const refused: readonly (readonly [JsonObject, ...string[]])[] = [
    [{ firstName: null }, 'firstName member.required'],
    [{ firstName: '' }, 'firstName text.tooShort'],
    [{ lastName: 'x'.repeat(101) }, 'lastName text.tooLong'],
    [{ firstName: 1 }, 'firstName member.type'],
    [{ email: 'new@example.org' }, 'email member.unknown'],
    [{ emailVerified: true, firstName: '' }, 'firstName text.tooShort', 'emailVerified member.unknown'],
  ];
  for (const [patch, ...violations] of refused) {
    it(`refuses ${JSON.stringify(patch).slice(0, 60)}, and changes nothing`, async () => {
      const { world, caller } = await aWorldWithCaller();
      const before = everythingIn(world);
      expect(await refusalOf(updateProfile(world)(caller, patch, undefined))).to.deep.equal(violations);
      expect(everythingIn(world)).to.deep.equal(before);
    });
  }

  it('changes only the expected version', async () => {
    const { world, id, caller } = await aWorldWithCaller();
    const version = profileVersion(await valueOf(readProfile(world)({ userId: id })));
    const update = updateProfile(world);
    const patch = { firstName: 'Augusta' };
    expect(await update(caller, patch, ['another'])).to.deep.equal(err(versionMismatch(version)));
    expect(await refusalOf(update(caller, patch, ['another', version]))).to.deep.equal(['accepted']);
    expect(await refusalOf(update(caller, patch, [version]))).to.deep.equal(['VersionMismatch']);
  });

  it('fails for a deleted user', async () => {
    const { world } = await aWorldWithCaller();
    const nobody = callerOf(world, UserId.parse('00000000-0000-7000-8000-00000000ffff'));
    expect(await updateProfile(world)(nobody, {}, undefined)).to.deep.equal(err(accountNotFound()));
  });

  it('records that the profile changed, but not its content', async () => {
    const { world, caller } = await aWorldWithCaller();
    const entries = await entriesDuring(world, () => updateProfile(world)(caller, { firstName: 'Augusta' }, undefined));
    expect(entries.map(({ action, objects }) => ({ action, objects }))).to.deep.equal([
      { action: 'account.profileChanged', objects: {} },
    ]);
  });
});
