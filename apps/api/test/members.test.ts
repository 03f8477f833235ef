import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { aMember, aVerifiedUser, join, type Role, roles, type User } from './support/arrange.ts';
import { expectProblem } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import { enableTwoFactor } from './support/two-factor.ts';

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

interface MemberBody {
  readonly id: string;
  readonly user: string;
  readonly role: Role;
  readonly joinedAt: string;
  readonly twoFactorEnabled?: boolean;
}

describe('Members', () => {
  let service: MemoryService;
  let owner: User;

  before(async () => {
    service = await openMemoryService();
  });
  beforeEach(async () => {
    owner = await aVerifiedUser(service);
  });
  after(() => service.close());

  const members = () => `/api/organizations/${owner.organization}/members`;
  const pathOf = ({ id }: { readonly id: string }) => `${members()}/${id}`;
  const member = (role: Role) => aMember(service, owner, role);
  const tagOf = async (user: User, reader = owner) => (await reader.get(pathOf(user))).headers.get('etag') ?? '';
  const roleOf = async (user: User) => ((await owner.get(pathOf(user))).json() as MemberBody).role;

  describe('GET /api/organizations/{id}/members', () => {
    it('answers 200 with all members in order of joining, paginated', async () => {
      const [first, second] = [await member('viewer'), await member('admin')];
      const reply = await second.get(members());
      expect(reply.status).to.equal(200);
      expect(reply.headers.get('x-total-count')).to.equal('3');
      const items = reply.json() as MemberBody[];
      expect(items.map(({ id, user, role }) => ({ id, user, role }))).to.deep.equal([
        { id: owner.id, user: `/api/users/${owner.id}`, role: 'owner' },
        { id: first.id, user: `/api/users/${first.id}`, role: 'viewer' },
        { id: second.id, user: `/api/users/${second.id}`, role: 'admin' },
      ]);
      for (const { joinedAt } of items) expect(joinedAt).to.match(timestamp);
      const page = (await second.get(`${members()}?itemsPerPage=2&page=2`)).json() as MemberBody[];
      expect(page.map(({ id }) => id)).to.deep.equal([second.id]);
    });

    it('answers 200 as linked data on demand', async () => {
      const reply = await owner.get(members(), { accept: 'application/ld+json' });
      expect(reply.json()).to.have.nested.property('member[0].@type', 'OrganizationMember');
      expect(reply.json()).to.have.nested.property('member[0].@id', pathOf(owner));
    });

    it('shows who has a second factor only to owners and admins', async () => {
      const seen = await member('viewer');
      await enableTwoFactor(service, seen);
      for (const role of roles) {
        const reader = role === 'owner' ? owner : await member(role);
        const items = (await reader.get(members())).json() as MemberBody[];
        const shown = items.find(({ id }) => id === seen.id)?.twoFactorEnabled;
        const single = ((await reader.get(pathOf(seen))).json() as MemberBody).twoFactorEnabled;
        const expected = role === 'owner' || role === 'admin' ? true : undefined;
        expect([shown, single], role).to.deep.equal([expected, expected]);
      }
    });
  });

  describe('GET /api/organizations/{id}/members/{user}', () => {
    it('answers 404 to non-members and invalid ids', async () => {
      const stranger = await aVerifiedUser(service);
      for (const id of [stranger.id, randomUUID(), 'me']) {
        expectProblem(await owner.get(pathOf({ id })), 404, 'not-found');
      }
    });
  });

  describe('PATCH /api/organizations/{id}/members/{user}', () => {
    it('answers 200 with the member in the new role, which applies immediately', async () => {
      const user = await member('viewer');
      const zone = { name: 'x', organization: owner.organization };
      expect((await user.post('/api/zones', zone)).status).to.equal(403);
      const reply = await owner.patch(pathOf(user), { role: 'editor' });
      expect(reply.status).to.equal(200);
      expect(reply.json()).to.include({ id: user.id, role: 'editor' });
      expect((await user.post('/api/zones', zone)).status).to.equal(201);
    });

    it('answers 200 to what GET returned', async () => {
      const user = await member('viewer');
      const body = (await owner.get(pathOf(user), { accept: 'application/ld+json' })).json() as object;
      expect((await owner.patch(pathOf(user), { ...body, role: 'admin' })).status).to.equal(200);
      expect(await roleOf(user)).to.equal('admin');
    });

    it('answers 200 to an empty patch, which changes nothing', async () => {
      const user = await member('editor');
      expect((await owner.patch(pathOf(user), {})).json()).to.include({ id: user.id, role: 'editor' });
    });

    it('answers 403 to an admin who grants or revokes the owner role, 200 to an owner', async () => {
      const [admin, second, viewer] = [await member('admin'), await member('owner'), await member('viewer')];
      expectProblem(await admin.patch(pathOf(viewer), { role: 'owner' }), 403, 'forbidden');
      expectProblem(await admin.patch(pathOf(admin), { role: 'owner' }), 403, 'forbidden');
      expectProblem(await admin.patch(pathOf(second), { role: 'viewer' }), 403, 'forbidden');
      expect((await owner.patch(pathOf(viewer), { role: 'owner' })).status).to.equal(200);
      expect((await owner.patch(pathOf(second), { role: 'viewer' })).status).to.equal(200);
    });

    it('answers 409 when the last owner steps down, 200 once there is another one', async () => {
      expectProblem(await owner.patch(pathOf(owner), { role: 'admin' }), 409, 'last-owner');
      expect((await owner.patch(pathOf(owner), { role: 'owner' })).status).to.equal(200);
      await member('owner');
      expect((await owner.patch(pathOf(owner), { role: 'viewer' })).status).to.equal(200);
    });

    const refused: readonly (readonly [what: string, body: unknown, violation: string])[] = [
      ['an unknown role', { role: 'king' }, 'role: value.choice'],
      ['the removal of the role', { role: null }, 'role: value.choice'],
      ['an unknown member', { role: 'viewer', name: 'x' }, 'name: member.unknown'],
    ];
    for (const [what, body, violation] of refused) {
      it(`answers 422 to ${what}`, async () => {
        expectProblem(await owner.patch(pathOf(await member('viewer')), body), 422, 'validation-failed', [violation]);
      });
    }
  });

  describe('DELETE /api/organizations/{id}/members/{user}', () => {
    it('answers 204 and revokes all rights immediately', async () => {
      const user = await member('editor');
      const reply = await owner.delete(pathOf(user));
      expect([reply.status, reply.text]).to.deep.equal([204, '']);
      expectProblem(await user.get(members()), 403, 'forbidden');
      expectProblem(await owner.delete(pathOf(user)), 404, 'not-found');
    });

    it('answers 204 to a member who leaves, with a matching entity tag', async () => {
      const user = await member('viewer');
      expect((await user.delete(pathOf(user), { 'if-match': await tagOf(user, user) })).status).to.equal(204);
    });

    for (const role of ['admin', 'editor', 'viewer'] as const) {
      it(`answers 204 to a member who leaves: ${role}`, async () => {
        const user = await member(role);
        expect((await user.delete(pathOf(user))).status).to.equal(204);
        expectProblem(await user.get(members()), 403, 'forbidden');
      });
    }

    it('answers 403 to an admin who removes an owner, to members without permission, and to strangers', async () => {
      const [admin, editor, viewer] = [await member('admin'), await member('editor'), await member('viewer')];
      await member('owner');
      expectProblem(await admin.delete(pathOf(owner)), 403, 'forbidden');
      expectProblem(await editor.delete(pathOf(viewer)), 403, 'forbidden');
      const stranger = await aVerifiedUser(service);
      for (const user of [viewer, stranger]) expectProblem(await stranger.delete(pathOf(user)), 403, 'forbidden');
    });

    it('answers 409 when the last owner leaves, 204 once there is another one', async () => {
      expectProblem(await owner.delete(pathOf(owner)), 409, 'last-owner');
      const second = await aVerifiedUser(service);
      await join(service, second, owner.organization, 'owner');
      expect((await owner.delete(pathOf(owner))).status).to.equal(204);
    });
  });
});
