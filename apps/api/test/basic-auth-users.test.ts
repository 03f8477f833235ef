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

    it('answers 200 with a JSON-LD collection by default, and with the same as plain JSON', async () => {
      const [reply, json] = [await ada.get(list()), await ada.get(list(), plain)];
      expect(reply.headers.get('content-type')).to.equal('application/ld+json; charset=utf-8');
      expect(json.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      const only = `${list()}?page=1`;
      const search = searchIn(list());
      const view = { '@id': only, '@type': 'PartialCollectionView', first: only, last: only };
      expect(json.json()).to.deep.equal({ totalItems: 5, member: users, view, search });
      expect(reply.json()).to.deep.equal({
        '@context': '/api/contexts/BasicAuthUser',
        '@id': list(),
        '@type': 'Collection',
        totalItems: 5,
        member: users.map((user) => ({ '@id': pathOf(user), '@type': 'BasicAuthUser', ...user })),
        view,
        search,
      });
      for (const user of users) {
        expect(Object.keys(user)).to.deep.equal(['id', 'zone', 'username', 'comment', 'createdAt', 'updatedAt']);
      }
    });

    it('is paginated, with links in the collection that keep the filter', async () => {
      const at = (number: number) => `${list()}?username=bo&itemsPerPage=1&page=${number}`;
      const { view, member } = (await ada.get(at(2), plain)).json() as {
        readonly view: Readonly<Record<string, string>>;
        readonly member: readonly BasicAuthUserBody[];
      };
      expect(member.map(({ username }) => username)).to.deep.equal(['bob']);
      const links = { first: at(1), last: at(2), previous: at(1) };
      expect(view).to.deep.equal({ '@id': at(2), '@type': 'PartialCollectionView', ...links });
    });
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

    it('accepts linked data, ignores read-only members and its own zone', async () => {
      const body = {
        username: 'bob',
        password: 'long enough',
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

  it('GET /api/zones/{zoneId}/basic-auth-users/{id} answers 200 in both formats', async () => {
    const user = await aBasicAuthUser(ada, zone);
    expect((await ada.get(pathOf(user), plain)).json()).to.deep.equal(user);
    const keys = { '@context': '/api/contexts/BasicAuthUser', '@id': pathOf(user), '@type': 'BasicAuthUser' };
    expect((await ada.get(pathOf(user))).json()).to.deep.equal({ ...keys, ...user });
  });

  describe('PATCH /api/zones/{zoneId}/basic-auth-users/{id}', () => {
    let user: BasicAuthUserBody;
    beforeEach(async () => {
      user = await aBasicAuthUser(ada, zone, { comment: 'as it was' });
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

    it('answers 422 with what is wrong, such as another name or another zone', async () => {
      await refused(patch(user, { username: 'another' }), 'username: basicAuth.username.change');
      await refused(patch(user, { zone: missingId }), 'zone: zone.change');
      expect(await read(user)).to.deep.equal(user);
    });
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
    });
  });
});
