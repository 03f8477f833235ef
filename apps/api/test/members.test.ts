import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { aMember, aVerifiedUser, type Role, type User } from './support/arrange.ts';
import { expectProblem } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

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

  it('GET /api/organizations/{id}/members returns 200 in order of joining, page by page or as linked data', async () => {
    const [first, second] = [await member('viewer'), await member('admin')];
    const reply = await first.get(`${members()}?itemsPerPage=2&page=2`);
    expect(reply.status).to.equal(200);
    expect(reply.headers.get('x-total-count')).to.equal('3');
    const [{ joinedAt, ...shown } = {}, ...others] = reply.json() as Readonly<Record<string, unknown>>[];
    expect(shown).to.deep.equal({ id: second.id, user: `/api/users/${second.id}`, role: 'admin' });
    expect(joinedAt).to.match(timestamp);
    expect(others).to.deep.equal([]);
    const linked = (await owner.get(members(), { accept: 'application/ld+json' })).json();
    expect(linked).to.have.nested.property('member[0].@type', 'OrganizationMember');
    expect(linked).to.have.nested.property('member[0].@id', pathOf(owner));
    expect(linked).to.have.nested.property('member[0].twoFactorEnabled', false);
  });

  it('GET /api/organizations/{id}/members/{user} returns 404 for non-members and invalid ids', async () => {
    const stranger = await aVerifiedUser(service);
    for (const id of [stranger.id, randomUUID(), 'me']) {
      expectProblem(await owner.get(pathOf({ id })), 404, 'not-found');
    }
  });

  describe('PATCH /api/organizations/{id}/members/{user}', () => {
    it('returns 200 with the member in the new role, for what GET returned, too', async () => {
      const user = await member('viewer');
      const body = (await owner.get(pathOf(user), { accept: 'application/ld+json' })).json() as object;
      const reply = await owner.patch(pathOf(user), { ...body, role: 'editor' });
      expect(reply.status, reply.text).to.equal(200);
      expect(reply.json()).to.include({ id: user.id, role: 'editor' });
    });

    it('returns 409 when the last owner steps down', async () => {
      expectProblem(await owner.patch(pathOf(owner), { role: 'admin' }), 409, 'last-owner');
    });

    it('returns 422 with all violations at once', async () => {
      for (const role of ['king', null]) {
        expectProblem(await owner.patch(pathOf(owner), { role, name: 'x' }), 422, 'validation-failed', [
          'role: value.choice',
          'name: member.unknown',
        ]);
      }
    });
  });

  describe('DELETE /api/organizations/{id}/members/{user}', () => {
    it('returns 204 to a member who leaves with a matching entity tag, and revokes all rights immediately', async () => {
      const user = await member('viewer');
      const tag = (await user.get(pathOf(user))).headers.get('etag') ?? '';
      const reply = await user.delete(pathOf(user), { 'if-match': tag });
      expect([reply.status, reply.text]).to.deep.equal([204, '']);
      expectProblem(await user.get(members()), 403, 'forbidden');
    });

    it('returns 409 when the last owner leaves', async () => {
      expectProblem(await owner.delete(pathOf(owner)), 409, 'last-owner');
    });
  });
});
