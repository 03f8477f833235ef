import { type JsonObject, versionMismatch } from '@zonewright/core';
import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import { readBasicAuthUser } from '../../../../src/zones/basic-auth-users/read-basic-auth-users.ts';
import { updateBasicAuthUser } from '../../../../src/zones/basic-auth-users/update-basic-auth-user.ts';
import { aBasicAuthUser, hashOf, watchedHashes } from '../../../support/basic-auth-users.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { auditEntries, entriesDuring } from '../../../support/traces.ts';
import { aWorld, everythingIn } from '../../../support/world.ts';
import { anOrganizationWithZone, revisionOf } from '../../../support/zones.ts';

const missingId = '00000000-0000-7000-8000-999999999999';
const hash = `$2b$10$${'a'.repeat(53)}`;

const aWorldWithUser = async () => {
  const world = aWorld();
  const arranged = await anOrganizationWithZone(world);
  const { owner, zone } = arranged;
  const user = await aBasicAuthUser(world, owner, zone.id, 'ada', { comment: 'first' });
  const basicAuthPasswords = watchedHashes(world.basicAuthPasswords);
  const update = updateBasicAuthUser({ ...world, basicAuthPasswords });
  const patch = (body: JsonObject, caller = owner) => update(caller, zone.id, user.id, body, undefined);
  return { world, ...arranged, user, basicAuthPasswords, update, patch };
};

describe('updateBasicAuthUser', () => {
  const cases: readonly (readonly [what: string, body: JsonObject, comment: string, stored: string, action: string])[] =
    [
      ['another comment', { comment: ' second ' }, 'second', 'plain:Secret-1', 'changed'],
      ['an empty comment with null', { comment: null }, '', 'plain:Secret-1', 'changed'],
      ['another password', { password: 'Secret-2' }, 'first', 'plain:Secret-2', 'passwordChanged'],
      ['the same password', { password: 'Secret-1' }, 'first', 'plain:Secret-1', 'passwordChanged'],
      ['a hash', { passwordHash: hash }, 'first', hash.replace('$2b$', '$2y$'), 'passwordChanged'],
      ['comment and password', { comment: 'x', password: 'Secret-2' }, 'x', 'plain:Secret-2', 'passwordChanged'],
      ['its own name and a comment', { username: ' ada ', comment: 'x' }, 'x', 'plain:Secret-1', 'changed'],
    ];
  for (const [what, body, comment, stored, action] of cases) {
    it(`sets ${what}`, async () => {
      const { world, owner, zone, user, patch } = await aWorldWithUser();
      world.clock.advance(60);
      const entries = await entriesDuring(world, async () => {
        const updated = await valueOf(patch(body));
        expect(updated).to.deep.equal({ ...user, comment, updatedAt: world.clock.now(), revision: 2 });
        expect(await readBasicAuthUser(world)(owner, zone.id, user.id)).to.deep.equal(ok(updated));
      });
      expect(hashOf(world, user.id)).to.equal(stored);
      expect(revisionOf(world, zone.id)).to.equal(3);
      expect(entries.map((entry) => ({ action: entry.action, objects: entry.objects }))).to.deep.equal([
        { action: `basicAuthUser.${action}`, objects: { zone: zone.id, basicAuthUser: user.id } },
      ]);
    });
  }

  it('records that a password changed, but neither the old nor the new one', async () => {
    const { world, patch } = await aWorldWithUser();
    await valueOf(patch({ password: 'Secret-2' }));
    const written = JSON.stringify([auditEntries(world), [...everythingIn(world).revisions.values()]]);
    for (const secret of ['Secret-1', 'Secret-2']) expect(written).to.not.include(secret);
  });

  it('leaves no trace if it changes nothing', async () => {
    const { world, user, patch } = await aWorldWithUser();
    const before = everythingIn(world);
    world.clock.advance(60);
    for (const body of [{}, { username: 'ada' }, { comment: 'first' }, { password: null, passwordHash: null }]) {
      expect(await patch(body)).to.deep.equal(ok(user));
    }
    expect(everythingIn(world)).to.deep.equal(before);
  });

  const refused: readonly (readonly [what: string, body: JsonObject, ...codes: string[]])[] = [
    ['another name', { username: 'grace' }, 'username basicAuth.username.change'],
    ['its name in another case', { username: 'Ada' }, 'username basicAuth.username.change'],
    ['no name', { username: null }, 'username member.required'],
    ['a comment of 256 characters', { comment: 'a'.repeat(256) }, 'comment text.tooLong'],
    ['a password of 7 bytes', { password: '1234567' }, 'password basicAuth.password.tooShort'],
    ['a password of 73 bytes', { password: 'a'.repeat(73) }, 'password basicAuth.password.tooLong'],
    [
      'a hash that not every proxy supports',
      { passwordHash: `$apr1$salt$${'a'.repeat(22)}` },
      'passwordHash basicAuth.passwordHash',
    ],
    ['a password and a hash', { password: 'Secret-2', passwordHash: hash }, 'passwordHash basicAuth.password.twice'],
    ['another zone', { zone: missingId }, 'zone member.unknown'],
    [
      'several errors at once',
      { comment: 1, password: '' },
      'comment member.type',
      'password basicAuth.password.tooShort',
    ],
  ];
  for (const [what, body, ...codes] of refused) {
    it(`refuses ${what}, hashes nothing and changes nothing`, async () => {
      const { world, basicAuthPasswords, patch } = await aWorldWithUser();
      const before = everythingIn(world);
      expect(await refusalOf(patch(body))).to.deep.equal(codes);
      expect(everythingIn(world)).to.deep.equal(before);
      expect(basicAuthPasswords.asked).to.deep.equal([]);
    });
  }

  describe('with expected versions', () => {
    it('fails if none is, reports the version, hashes nothing and changes nothing', async () => {
      const { world, owner, zone, user, basicAuthPasswords, update } = await aWorldWithUser();
      const before = everythingIn(world);
      for (const expected of [['other'], []]) {
        const outcome = await update(owner, zone.id, user.id, { password: 'Secret-2' }, expected);
        expect(outcome).to.deep.equal(err(versionMismatch('1')));
      }
      expect(everythingIn(world)).to.deep.equal(before);
      expect(basicAuthPasswords.asked).to.deep.equal([]);
    });
  });
});
