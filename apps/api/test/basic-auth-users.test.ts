import { createRequire } from 'node:module';
import { expect } from 'chai';
import { aVerifiedUser, aZone, type User, unique, type ZoneBody } from './support/arrange.ts';
import { expectProblem, type Reply } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import {
  aBasicAuthUser,
  aRuleIn,
  type BasicAuthUserBody,
  basicAuthUsersOf,
  historyOf,
  someHash,
  tagOf,
} from './support/zone-contents.ts';

// bcrypt is a dependency of another package; verification must not use our own code.
const { compare } = createRequire(new URL('../../../packages/crypto/package.json', import.meta.url))('bcrypt') as {
  readonly compare: (password: string, hash: string) => Promise<boolean>;
};

const missingId = '0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const plain = { accept: 'application/json' };
const linked = { accept: 'application/ld+json' };
const shaCrypt = `$6$rounds=5000$${'s'.repeat(16)}$${'h'.repeat(86)}`;

describe('Basic-auth users', () => {
  let service: MemoryService;
  let ada: User;
  let zone: ZoneBody;

  before(async () => {
    service = await openMemoryService();
    ada = await aVerifiedUser(service);
  });
  beforeEach(async () => {
    zone = await aZone(ada);
  });
  after(() => service.close());

  const list = () => basicAuthUsersOf(zone);
  const pathOf = ({ id }: { readonly id: string }) => `${list()}/${id}`;
  const create = (body: unknown, headers: Readonly<Record<string, string>> = plain) => ada.post(list(), body, headers);
  const patch = (user: BasicAuthUserBody, body: unknown, headers: Readonly<Record<string, string>> = plain) =>
    ada.patch(pathOf(user), body, headers);
  const read = async (user: BasicAuthUserBody) => (await ada.get(pathOf(user), plain)).json() as BasicAuthUserBody;
  const storedHash = ({ id }: { readonly id: string }) =>
    service.inTables(
      ({ basicAuthUsers }) => [...basicAuthUsers.values()].find((user) => user.id === id)?.hash ?? expect.fail(id),
    );
  const verifies = async (password: string, user: BasicAuthUserBody) =>
    compare(password, storedHash(user).replace(/^\$2y\$/, '$2b$'));
  const refused = async (reply: Promise<Reply>, ...violations: readonly string[]) =>
    expectProblem(await reply, 422, 'validation-failed', violations);

  /** The search description of the list. */
  const searchIn = (path: string) => ({
    '@type': 'IriTemplate',
    template: `${path}{?username}`,
    variableRepresentation: 'BasicRepresentation',
    mapping: [{ '@type': 'IriTemplateMapping', variable: 'username', property: 'username', required: false }],
  });

  describe('GET /api/zones/{zoneId}/basic-auth-users', () => {
    let users: readonly BasicAuthUserBody[];
    beforeEach(async () => {
      const made = [];
      for (const username of ['bob', 'Zoe', 'änne', 'alice', 'Bob'])
        made.push(await aBasicAuthUser(ada, zone, { username }));
      users = made.toSorted((one, other) => (one.username < other.username ? -1 : 1));
    });

    it('answers 200 with a JSON-LD collection by default', async () => {
      const reply = await ada.get(list());
      expect(reply.status).to.equal(200);
      expect(reply.headers.get('content-type')).to.equal('application/ld+json; charset=utf-8');
      expect(reply.headers.get('cache-control')).to.equal('private, no-cache');
      expect(reply.json()).to.deep.equal({
        '@context': '/api/contexts/BasicAuthUser',
        '@id': list(),
        '@type': 'Collection',
        totalItems: 5,
        member: users.map((user) => ({ '@id': pathOf(user), '@type': 'BasicAuthUser', ...user })),
        view: {
          '@id': `${list()}?page=1`,
          '@type': 'PartialCollectionView',
          first: `${list()}?page=1`,
          last: `${list()}?page=1`,
        },
        search: searchIn(list()),
      });
    });

    it('answers 200 with a collection object in plain JSON too', async () => {
      const reply = await ada.get(list(), plain);
      expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      expect(reply.json()).to.deep.equal({
        totalItems: 5,
        member: users,
        view: {
          '@id': `${list()}?page=1`,
          '@type': 'PartialCollectionView',
          first: `${list()}?page=1`,
          last: `${list()}?page=1`,
        },
        search: searchIn(list()),
      });
    });

    it('shows each user with exactly the members of the interface', async () => {
      const { member } = (await ada.get(list(), plain)).json() as { member: readonly object[] };
      for (const each of member) {
        expect(Object.keys(each)).to.deep.equal(['id', 'zone', 'username', 'comment', 'createdAt', 'updatedAt']);
      }
    });

    for (const headers of [plain, linked]) {
      it(`is paginated, with links to the first, last, previous and next page, as ${headers.accept}`, async () => {
        const page = async (number: number) =>
          (await ada.get(`${list()}?itemsPerPage=2&page=${number}`, headers)).json() as {
            readonly totalItems: number;
            readonly view: Readonly<Record<string, string>>;
            readonly member: readonly BasicAuthUserBody[];
          };
        const at = (number: number) => `${list()}?itemsPerPage=2&page=${number}`;
        const ends = { first: at(1), last: at(3) };
        const type = { '@type': 'PartialCollectionView' };
        const [first, second, third] = [await page(1), await page(2), await page(3)];
        expect(first.view).to.deep.equal({ '@id': at(1), ...type, ...ends, next: at(2) });
        expect(second.view).to.deep.equal({ '@id': at(2), ...type, ...ends, previous: at(1), next: at(3) });
        expect(third.view).to.deep.equal({ '@id': at(3), ...type, ...ends, previous: at(2) });
        expect([first, second, third].map(({ totalItems }) => totalItems)).to.deep.equal([5, 5, 5]);
        expect([first, second, third].flatMap(({ member }) => member.map(({ id }) => id))).to.deep.equal(
          users.map(({ id }) => id),
        );
      });
    }

    it('returns only the total for itemsPerPage=0, and at most 100 users', async () => {
      expect((await ada.get(`${list()}?itemsPerPage=0`, plain)).json())
        .to.include({ totalItems: 5 })
        .and.deep.include({
          member: [],
        });
      expect((await ada.get(`${list()}?itemsPerPage=1000`, plain)).json()).to.deep.include({ member: users });
    });

    for (const query of ['page=0', 'page=-1', 'page=x', 'itemsPerPage=-1', 'itemsPerPage=abc', 'page=1&page=2']) {
      it(`answers 400 to ${query}`, async () => {
        expect((await ada.get(`${list()}?${query}`)).status).to.equal(400);
      });
    }

    for (const [query, found] of [
      ['BO', ['Bob', 'bob']],
      ['%', []],
    ] as const) {
      it(`finds ${found.join(', ') || 'nobody'} by "${query}"`, async () => {
        const reply = await ada.get(`${list()}?username=${encodeURIComponent(query)}`, plain);
        const { member, totalItems, view } = reply.json() as {
          member: readonly BasicAuthUserBody[];
          totalItems: number;
          view: Readonly<Record<string, string>>;
        };
        expect(member.map(({ username }) => username)).to.deep.equal(found);
        expect(totalItems).to.equal(found.length);
        expect(view['first']).to.equal(`${list()}?username=${encodeURIComponent(query)}&page=1`);
      });
    }
  });

  describe('POST /api/zones/{zoneId}/basic-auth-users', () => {
    it('answers 201 with the user and its address, never with the password', async () => {
      const reply = await create({ username: ' bob ', comment: 'the builder', password: 'Can we fix it?' }, linked);
      expect(reply.status, reply.text).to.equal(201);
      expect(reply.headers.get('content-type')).to.equal('application/ld+json; charset=utf-8');
      const { id, createdAt, updatedAt, ...user } = reply.json() as BasicAuthUserBody;
      expect(user).to.deep.equal({
        '@context': '/api/contexts/BasicAuthUser',
        '@id': pathOf({ id }),
        '@type': 'BasicAuthUser',
        zone: `/api/zones/${zone.id}`,
        username: 'bob',
        comment: 'the builder',
      });
      expect(id).to.match(uuid);
      expect(createdAt).to.match(timestamp);
      expect(updatedAt).to.equal(createdAt);
      expect(reply.headers.get('location')).to.equal(pathOf({ id }));
      expect(reply.headers.get('etag')).to.equal(await tagOf(ada, pathOf({ id }), linked));
      const back = await ada.get(pathOf({ id }), linked);
      expect(back.json()).to.deep.equal(reply.json());
    });

    it('stores a bcrypt hash that proxies can verify: $2y$, cost 10', async () => {
      const password = 'päßwörd with 💡 and spaces ';
      const user = await aBasicAuthUser(ada, zone, { password });
      expect(storedHash(user)).to.match(/^\$2y\$10\$[./A-Za-z0-9]{53}$/);
      expect(await verifies(password, user)).to.equal(true);
      expect(await verifies(password.trim(), user)).to.equal(false);
      const same = await aBasicAuthUser(ada, zone, { password });
      expect(storedHash(same)).not.to.equal(storedHash(user));
    });

    for (const [what, passwordHash, stored] of [
      ['a bcrypt hash as libraries write it', someHash.replace('$2y$', '$2b$'), someHash],
      ['a SHA-512 crypt hash', shaCrypt, shaCrypt],
    ] as const) {
      it(`accepts ${what} generated elsewhere as passwordHash`, async () => {
        const reply = await create({ username: 'imported', passwordHash });
        expect(reply.status, reply.text).to.equal(201);
        expect(reply.text).not.to.include(passwordHash.slice(4));
        expect(storedHash(reply.json() as BasicAuthUserBody)).to.equal(stored);
      });
    }

    it('never returns a password or its hash', async () => {
      const password = `Secret-${unique()}-Horse`;
      const user = await aBasicAuthUser(ada, zone, { password });
      const hash = storedHash(user);
      const replies = [
        await ada.get(list()),
        await ada.get(list(), plain),
        await ada.get(pathOf(user)),
        await ada.get(`/api/zones/${zone.id}`),
        await patch(user, { comment: 'x' }),
        await create({ username: user.username, password }),
      ];
      for (const { text } of replies) {
        for (const secret of [password, hash, hash.slice(7)]) expect(text).not.to.include(secret);
      }
    });

    const good = { username: 'bob', password: 'long enough' };

    it('answers 201 at the limits: 128 characters, 255 characters of comment on lines, 8 and 72 bytes', async () => {
      const comment = `a\n\t${'ü'.repeat(252)}`;
      for (const [index, password] of ['éééé', '€'.repeat(24)].entries()) {
        const username = `${index}${'💡'.repeat(127)}`;
        const reply = await create({ username, comment, password });
        expect(reply.status, reply.text).to.equal(201);
        expect(reply.json()).to.include({ username, comment });
      }
    });

    it('accepts linked data, ignores read-only members and its own zone', async () => {
      const body = {
        ...good,
        '@id': '/x',
        '@type': 'BasicAuthUser',
        id: missingId,
        createdAt: '2001-01-01T00:00:00.000Z',
        updatedAt: 7,
        zone: `/api/zones/${zone.id}`,
      };
      const headers = { ...plain, 'content-type': 'application/ld+json' };
      const reply = await ada.send('POST', list(), { headers, body: JSON.stringify(body) });
      expect(reply.status, reply.text).to.equal(201);
      expect((reply.json() as BasicAuthUserBody).id).not.to.equal(missingId);
    });
  });

  describe('GET /api/zones/{zoneId}/basic-auth-users/{id}', () => {
    it('answers 200 in both formats, and 304 to matching conditional requests', async () => {
      const user = await aBasicAuthUser(ada, zone);
      const [first, json] = [await ada.get(pathOf(user)), await ada.get(pathOf(user), plain)];
      expect(json.json()).to.deep.equal(user);
      expect(first.json()).to.deep.equal({
        '@context': '/api/contexts/BasicAuthUser',
        '@id': pathOf(user),
        '@type': 'BasicAuthUser',
        ...user,
      });
      expect(first.headers.get('etag')).not.to.equal(json.headers.get('etag'));
      for (const { headers } of [first, json]) {
        const accept = (headers.get('content-type') ?? '').split(';')[0] ?? '';
        const reply = await ada.get(pathOf(user), { accept, 'if-none-match': headers.get('etag') ?? '' });
        expect({ status: reply.status, text: reply.text }).to.deep.equal({ status: 304, text: '' });
      }
    });
  });

  describe('PATCH /api/zones/{zoneId}/basic-auth-users/{id}', () => {
    let user: BasicAuthUserBody;
    beforeEach(async () => {
      user = await aBasicAuthUser(ada, zone, { comment: 'as it was' });
    });

    it('changes the comment but not the password', async () => {
      const hash = storedHash(user);
      const before = await tagOf(ada, pathOf(user));
      const reply = await patch(user, { comment: ' another ' });
      expect(reply.status, reply.text).to.equal(200);
      const { updatedAt, ...rest } = reply.json() as BasicAuthUserBody;
      const { updatedAt: created, ...same } = user;
      expect(rest).to.deep.equal({ ...same, comment: 'another' });
      expect(Date.parse(updatedAt)).to.be.at.least(Date.parse(created));
      expect(await read(user)).to.deep.equal({ ...rest, updatedAt });
      expect(storedHash(user)).to.equal(hash);
      expect(reply.headers.get('etag')).not.to.equal(before);
    });

    it('changes the password, the entity tag and the timestamp, but nothing else visible', async () => {
      const before = await tagOf(ada, pathOf(user));
      const reply = await patch(user, { password: 'Another-Horse-8' });
      expect(reply.status, reply.text).to.equal(200);
      const { updatedAt, ...rest } = reply.json() as BasicAuthUserBody;
      expect({ ...user, updatedAt }).to.deep.equal({ ...rest, updatedAt });
      expect(await verifies('Another-Horse-8', user)).to.equal(true);
      expect(storedHash(user)).to.match(/^\$2y\$10\$/);
      expect(reply.headers.get('etag')).not.to.equal(before);
    });

    it('accepts a hash generated elsewhere, and null for no comment', async () => {
      const reply = await patch(user, { passwordHash: shaCrypt, comment: null });
      expect((reply.json() as BasicAuthUserBody).comment).to.equal('');
      expect(storedHash(user)).to.equal(shaCrypt);
    });

    it('changes nothing when it is empty, repeats current values, or sends back what GET returned', async () => {
      const tag = await tagOf(ada, pathOf(user));
      const read = (await ada.get(pathOf(user), linked)).json();
      for (const body of [{}, { comment: 'as it was' }, { password: null }, { username: user.username }, user, read]) {
        const reply = await patch(user, body);
        expect({ status: reply.status, tag: reply.headers.get('etag') }).to.deep.equal({ status: 200, tag });
        expect(reply.json()).to.deep.equal(user);
      }
      expect(await historyOf(ada, zone)).to.have.length(2);
    });

    for (const [what, body, violation] of [
      ['another name', { username: 'another' }, 'username: basicAuth.username.change'],
      [
        'a password and a hash',
        { password: 'long enough', passwordHash: someHash },
        'passwordHash: basicAuth.password.twice',
      ],
      ['another zone', { zone: missingId }, 'zone: zone.change'],
    ] as const) {
      it(`answers 422 to ${what}, and changes nothing`, async () => {
        const hash = storedHash(user);
        await refused(patch(user, body), violation);
        expect(await read(user)).to.deep.equal(user);
        expect(storedHash(user)).to.equal(hash);
      });
    }
  });

  describe('DELETE /api/zones/{zoneId}/basic-auth-users/{id}', () => {
    let user: BasicAuthUserBody;
    beforeEach(async () => {
      user = await aBasicAuthUser(ada, zone, { comment: 'as it was' });
    });

    const zonePath = () => `/api/zones/${zone.id}`;
    const rulePath = ({ id }: { readonly id: string }) => `${zonePath()}/configuration-rules/${id}`;

    async function expectInUse(...usedBy: readonly string[]): Promise<void> {
      const reply = await ada.delete(pathOf(user));
      expectProblem(reply, 409, 'basic-auth-user-in-use');
      expect(reply.json()).to.deep.include({ usedBy });
      expect((await read(user)).id).to.equal(user.id);
    }

    it('answers 204 without a body and deletes the user', async () => {
      const reply = await ada.delete(pathOf(user));
      expect({ status: reply.status, text: reply.text }).to.deep.equal({ status: 204, text: '' });
      for (const again of [await ada.get(pathOf(user)), await ada.delete(pathOf(user))]) {
        expectProblem(again, 404, 'not-found');
      }
      expect((await create({ username: user.username, passwordHash: someHash })).status).to.equal(201);
    });

    it('answers 409 while rules refer to the user, and lists them', async () => {
      const settingsOverrides = { basicAuth: { allowedUserIds: [user.id] } };
      const rules = [
        await aRuleIn(ada, zone, 'configurationRules', { settingsOverrides }),
        await aRuleIn(ada, zone, 'configurationRules', { settingsOverrides, enabled: false }),
      ];
      await aRuleIn(ada, zone, 'configurationRules');
      await expectInUse(...rules.map(rulePath));
      for (const { id } of rules) await ada.delete(`/api/zones/${zone.id}/configuration-rules/${id}`);
      expect((await ada.delete(pathOf(user))).status).to.equal(204);
    });
  });
});
