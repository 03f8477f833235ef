import { BasicAuthUserDraft, hashingBusy, type JsonObject } from '@zonewright/core';
import { expect } from 'chai';
import { err, errAsync, ok } from 'neverthrow';
import { createBasicAuthUser } from '../../../../src/zones/basic-auth-users/create-basic-auth-user.ts';
import { readBasicAuthUser } from '../../../../src/zones/basic-auth-users/read-basic-auth-users.ts';
import { aWorldWithZoneForUsers, hashOf, watchedHashes } from '../../../support/basic-auth-users.ts';
import { revisionsOf } from '../../../support/history.ts';
import { aMember } from '../../../support/organizations.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { auditEntries, entriesDuring } from '../../../support/traces.ts';
import { everythingIn } from '../../../support/world.ts';
import { aZone, revisionOf } from '../../../support/zones.ts';

const plain = { username: 'ada', password: 'Secret-1' };
const written = (members: object): JsonObject => ({ ...plain, ...members });
const hashed = (passwordHash: unknown) => ({ username: 'ada', passwordHash }) as JsonObject;
const bcrypt = `$10$${'./Az09'.repeat(9).slice(0, 53)}`;
const sha512 = `salt./09$${'./Az09'.repeat(15).slice(0, 86)}`;

describe('createBasicAuthUser', () => {
  it('stores the user with a hash of the password and an empty comment', async () => {
    const { world, owner, zone, write } = await aWorldWithZoneForUsers();
    const user = await valueOf(write(plain));
    expect(user).to.deep.equal({
      id: user.id,
      zoneId: zone.id,
      username: 'ada',
      comment: '',
      createdAt: world.clock.now(),
      updatedAt: world.clock.now(),
      revision: 1,
    });
    expect(hashOf(world, user.id)).to.equal('plain:Secret-1');
    expect(await readBasicAuthUser(world)(owner, zone.id, user.id)).to.deep.equal(ok(user));
  });

  it('is a change of the zone, and is recorded without the password', async () => {
    const { world, owner, zone, write } = await aWorldWithZoneForUsers();
    const entries = await entriesDuring(world, () => write(plain));
    const [user] = [...everythingIn(world).basicAuthUsers.values()];
    expect(entries.map(({ action, objects }) => ({ action, objects }))).to.deep.equal([
      { action: 'basicAuthUser.created', objects: { zone: zone.id, basicAuthUser: user?.id } },
    ]);
    expect(revisionOf(world, zone.id)).to.equal(2);
    const [newest] = await revisionsOf(world, owner, zone.id);
    expect(newest?.patch.value).to.deep.equal({
      basicAuthUsers: { [user!.id]: { username: 'ada', comment: '' } },
    });
    const everything = JSON.stringify([auditEntries(world), [...everythingIn(world).revisions.values()]]);
    expect(everything).to.not.include('Secret-1');
  });

  const accepted: readonly (readonly [what: string, body: typeof plain & { readonly comment?: string }])[] = [
    ['a name of one character', { ...plain, username: 'a' }],
    ['a name of 128 characters', { ...plain, username: '😀'.repeat(128) }],
    ['a name with spaces inside', { ...plain, username: 'Ada Lovelace' }],
    ['a comment of 255 characters in lines', { ...plain, comment: `${'é'.repeat(253)}\na` }],
    ['a password of 8 bytes', { ...plain, password: '12345678' }],
    ['a password of 4 letters of two bytes each', { ...plain, password: 'é'.repeat(4) }],
    ['a password of 72 bytes', { ...plain, password: 'a'.repeat(72) }],
    ['a password of 18 characters of four bytes each', { ...plain, password: '😀'.repeat(18) }],
    ['a password with a colon and spaces at its ends', { ...plain, password: ' a:b c:d ' }],
  ];
  for (const [what, body] of accepted) {
    it(`accepts ${what}`, async () => {
      const { world, write } = await aWorldWithZoneForUsers();
      const user = await valueOf(write(body));
      expect(user).to.include({ username: body.username, comment: body.comment ?? '' });
      expect(hashOf(world, user.id)).to.equal(`plain:${body.password}`);
    });
  }

  const required = 'password member.required';
  const badHash = 'passwordHash basicAuth.passwordHash';
  const badCost = 'passwordHash basicAuth.passwordHash.cost';
  const refused: readonly (readonly [what: string, body: JsonObject, ...codes: string[]])[] = [
    ['nothing', {}, 'username member.required', required],
    ['a list', [] as never, ' member.type'],
    [
      'a name with a colon, a password and a hash',
      { ...written({ username: 'a:b' }), passwordHash: 'x' },
      'username basicAuth.username.colon',
      badHash,
      'passwordHash basicAuth.password.twice',
    ],
    ['no name', written({ username: ' ' }), 'username text.tooShort'],
    ['an empty name', written({ username: '' }), 'username text.tooShort'],
    ['a name with a lone surrogate', written({ username: 'a\ud800' }), 'username text.encoding'],
    ['a name that is a number', written({ username: 7 }), 'username member.type'],
    ['a comment with U+0000', written({ comment: 'a\0b' }), 'comment text.control'],
    ['a comment that is a list', written({ comment: [] }), 'comment member.type'],
    ['an empty password', written({ password: '' }), 'password basicAuth.password.tooShort'],
    ['a name of 129 characters', written({ username: 'a'.repeat(129) }), 'username text.tooLong'],
    ['a name with a colon', written({ username: 'a:b' }), 'username basicAuth.username.colon'],
    ['a name with a control character', written({ username: 'a\tb' }), 'username text.control'],
    ['a comment of 256 characters', written({ comment: 'a'.repeat(256) }), 'comment text.tooLong'],
    ['a comment that is null', written({ comment: null }), 'comment member.type'],
    ['neither a password nor a hash', { username: 'ada' }, required],
    ['a password of 7 bytes', written({ password: '1234567' }), 'password basicAuth.password.tooShort'],
    ['a password of 7 bytes in 4 letters', written({ password: 'éééa' }), 'password basicAuth.password.tooShort'],
    ['a password of 73 bytes', written({ password: 'a'.repeat(73) }), 'password basicAuth.password.tooLong'],
    [
      'a password of 74 bytes in 37 letters',
      written({ password: 'é'.repeat(37) }),
      'password basicAuth.password.tooLong',
    ],
    [
      'a password of a million bytes',
      written({ password: 'a'.repeat(1_000_000) }),
      'password basicAuth.password.tooLong',
    ],
    ['a password with a lone surrogate', written({ password: 'abcdefgh\ud800' }), 'password text.encoding'],
    ['a password with a line feed', written({ password: 'abcdefgh\n' }), 'password text.control'],
    ['a password that is a number', written({ password: 12_345_678 }), 'password member.type'],
    ['a password and a hash', written({ passwordHash: `$2y${bcrypt}` }), 'passwordHash basicAuth.password.twice'],
    ['a hash that not every proxy supports', hashed(`$apr1$salt$${'a'.repeat(22)}`), badHash],
    ['a hash without salt', hashed('{SHA}2jmj7l5rSw0yVb/vlWAYkK/YBwk='), badHash],
    ['a password for a hash', hashed('Secret-1'), badHash],
    ['a SHA-256 crypt hash', hashed(`$5$salt$${'a'.repeat(43)}`), badHash],
    ['a hash of another algorithm', hashed(`$2x${bcrypt}`), badHash],
    ['a hash that is too short', hashed(`$2y${bcrypt.slice(0, -1)}`), badHash],
    ['a hash with a line feed at the end', hashed(`$2y${bcrypt}\n`), badHash],
    ['a bcrypt hash of cost 9', hashed(`$2y${bcrypt.replace('$10$', '$09$')}`), badCost],
    ['a bcrypt hash of cost 13', hashed(`$2y${bcrypt.replace('$10$', '$13$')}`), badCost],
    ['a bcrypt hash of cost 31', hashed(`$2b${bcrypt.replace('$10$', '$31$')}`), badCost],
    ['a SHA-512 crypt hash of 999 rounds', hashed(`$6$rounds=999$${sha512}`), badCost],
    ['a SHA-512 crypt hash of 100,001 rounds', hashed(`$6$rounds=100001$${sha512}`), badCost],
    ['a SHA-512 crypt hash of 999,999,999 rounds', hashed(`$6$rounds=999999999$${sha512}`), badCost],
    ['a SHA-512 crypt hash whose rounds begin with a zero', hashed(`$6$rounds=05000$${sha512}`), badHash],
    ['a hash that is too long', hashed(`$6$${sha512}a`), badHash],
    ['a hash that is a number', hashed(7), 'passwordHash member.type'],
    ['a hash of a hundred thousand characters', hashed('$'.repeat(100_000)), badHash],
    ['a hash that is null', hashed(null), 'passwordHash member.type'],
    ['an unknown member', written({ realm: 'x' }), 'realm member.unknown'],
    ['a zone', written({ zone: 'x' }), 'zone member.unknown'],
  ];
  for (const [what, body, ...codes] of refused) {
    it(`refuses ${what}`, async () => {
      const { world, write } = await aWorldWithZoneForUsers();
      const before = everythingIn(world);
      expect(await refusalOf(write(body))).to.deep.equal(codes);
      expect(everythingIn(world)).to.deep.equal(before);
    });
  }

  const hashes: readonly (readonly [given: string, stored: string])[] = [
    [`$2y${bcrypt}`, `$2y${bcrypt}`],
    [`$2b${bcrypt}`, `$2y${bcrypt}`],
    [`$2a${bcrypt}`, `$2y${bcrypt}`],
    [`$2b${bcrypt.replace('$10$', '$12$')}`, `$2y${bcrypt.replace('$10$', '$12$')}`],
    [`$6$${sha512}`, `$6$${sha512}`],
    [`$6$rounds=1000$${sha512}`, `$6$rounds=1000$${sha512}`],
    [`$6$rounds=100000$${sha512}`, `$6$rounds=100000$${sha512}`],
  ];
  for (const [given, stored] of hashes) {
    it(`stores a hash that starts with ${given.slice(0, 8)} as one that starts with ${stored.slice(0, 8)}`, async () => {
      const { world, write } = await aWorldWithZoneForUsers();
      const user = await valueOf(write(hashed(given)));
      expect(hashOf(world, user.id)).to.equal(stored);
      expect(JSON.stringify(user)).to.not.include(bcrypt);
    });
  }

  it('refuses a name that another user of the zone has, case-sensitively', async () => {
    const { world, owner, write } = await aWorldWithZoneForUsers();
    await valueOf(write(written({ username: 'Caf\u00e9' })));
    const duplicate = ['username basicAuth.username.duplicate'];
    expect(await refusalOf(write(written({ username: 'Caf\u00e9' })))).to.deep.equal(duplicate);
    expect(await refusalOf(write(written({ username: ' Cafe\u0301 ' })))).to.deep.equal(duplicate);
    expect(await refusalOf(write(written({ username: 'CAF\u00c9' })))).to.deep.equal(['accepted']);
    const other = await aZone(world, owner, { name: 'Other' });
    expect(await refusalOf(write(written({ username: 'Caf\u00e9' }), other))).to.deep.equal(['accepted']);
  });

  it('hashes nothing for callers without permission, or if a hash is given', async () => {
    const { world, organization, zone, owner } = await aWorldWithZoneForUsers();
    const basicAuthPasswords = watchedHashes(world.basicAuthPasswords);
    const create = createBasicAuthUser({ ...world, basicAuthPasswords });
    const viewer = aMember(world, organization, 'viewer');
    expect(await refusalOf(create(viewer, zone.id, BasicAuthUserDraft.parse(plain)))).to.deep.equal([
      'PermissionDenied',
    ]);
    await valueOf(create(owner, zone.id, BasicAuthUserDraft.parse(hashed(`$2y${bcrypt}`))));
    expect(basicAuthPasswords.asked).to.deep.equal([]);
    await valueOf(create(owner, zone.id, BasicAuthUserDraft.parse({ ...plain, username: 'grace' })));
    expect(basicAuthPasswords.asked).to.deep.equal(['Secret-1']);
  });

  it('hashes nothing if the zone is full or the name is taken', async () => {
    const { world, owner, zone, write } = await aWorldWithZoneForUsers();
    const basicAuthPasswords = watchedHashes(world.basicAuthPasswords);
    const create = (username: string) =>
      createBasicAuthUser({ ...world, basicAuthPasswords })(
        owner,
        zone.id,
        BasicAuthUserDraft.parse({ ...plain, username }),
      );
    for (let index = 0; index < 49; index += 1) await valueOf(write(written({ username: `user ${index}` })));
    expect(await refusalOf(create('user 1'))).to.deep.equal(['username basicAuth.username.duplicate']);
    await valueOf(write(plain));
    expect(await refusalOf(create('grace'))).to.deep.equal([' zone.basicAuthUsers.limit']);
    expect(basicAuthPasswords.asked).to.deep.equal([]);
  });

  it('reports that too many passwords are being hashed', async () => {
    const { world, owner, zone } = await aWorldWithZoneForUsers();
    const busy = { hash: () => errAsync(hashingBusy(5)) };
    const create = createBasicAuthUser({ ...world, basicAuthPasswords: busy });
    expect(await create(owner, zone.id, BasicAuthUserDraft.parse(plain))).to.deep.equal(err(hashingBusy(5)));
    expect(everythingIn(world).basicAuthUsers.size).to.equal(0);
  });
});
