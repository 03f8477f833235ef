import { expect } from 'chai';
import { aMember, anApiToken, aVerifiedUser, aZone, type User, unique } from './support/arrange.ts';
import { expectProblem } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import { aTwoFactorUser, enforceTwoFactor } from './support/two-factor.ts';

const collection = '/api/organizations';
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const linked = { accept: 'application/ld+json' };

interface OrganizationBody {
  readonly id: number;
  readonly name: string;
  readonly enforceTwoFactor: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

describe('Organizations', () => {
  let service: MemoryService;
  let ada: User;

  before(async () => {
    service = await openMemoryService();
    ada = await aVerifiedUser(service);
  });
  after(() => service.close());

  const itemOf = ({ organization }: Pick<User, 'organization'>) => `${collection}/${organization}`;
  const create = async (user: User, name = `Team ${unique()}`) => {
    const reply = await user.post(collection, { name });
    expect(reply.status, reply.text).to.equal(201);
    return reply.json() as OrganizationBody;
  };

  describe('POST /api/organizations', () => {
    it('returns 201 with the organization, owned by the caller', async () => {
      const reply = await ada.post(collection, { name: ' Engines ' });
      expect(reply.status).to.equal(201);
      expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      const { id, createdAt, updatedAt, ...rest } = reply.json() as OrganizationBody;
      expect(rest).to.deep.equal({ name: 'Engines', enforceTwoFactor: false });
      expect(id).to.be.a('number').that.is.greaterThan(0);
      for (const time of [createdAt, updatedAt]) expect(time).to.match(timestamp);
      expect(reply.headers.get('location')).to.equal(`${collection}/${id}`);
      expect((await ada.get(`${collection}/${id}/members/${ada.id}`)).json()).to.include({ role: 'owner' });
    });

    it('returns 201 as linked data, for linked data, and for what GET returned', async () => {
      const document = (await ada.get(itemOf(ada), linked)).json() as object;
      const headers = { ...linked, 'content-type': 'application/ld+json' };
      const reply = await ada.post(collection, { ...document, name: 'Copy' }, headers);
      expect(reply.status, reply.text).to.equal(201);
      expect(reply.json()).to.include({ '@type': 'Organization', name: 'Copy' });
    });

    it('returns 422 with all violations at once', async () => {
      const reply = await ada.post(collection, { enforceTwoFactor: true, owner: 'x' });
      expectProblem(reply, 422, 'validation-failed', [
        'name: member.required',
        'enforceTwoFactor: value.choice',
        'owner: member.unknown',
      ]);
    });
  });

  it("GET /api/organizations returns 200 with the caller's organizations by name, paginated", async () => {
    const user = await aVerifiedUser(service);
    for (const name of ['zeta', 'Beta', 'alpha']) await create(user, name);
    const reply = await user.get(`${collection}?itemsPerPage=2&page=2`);
    expect((reply.json() as OrganizationBody[]).map(({ name }) => name)).to.deep.equal(['Beta', 'zeta']);
    expect(reply.headers.get('x-total-count')).to.equal('4');
    expect(reply.headers.get('link')).to.include('rel="prev"');
  });

  it('GET /api/organizations/{id} returns 404 for an id that is no organization’s', async () => {
    for (const id of ['999999999', '0', '-1', 'abc', '01', '99999999999', '2147483648']) {
      expectProblem(await ada.get(`${collection}/${id}`), 404, 'not-found');
    }
  });

  describe('PATCH /api/organizations/{id}', () => {
    it('returns 200 with the new state, for what GET returned, too', async () => {
      const { id } = await create(ada);
      const body = (await ada.get(`${collection}/${id}`, linked)).json() as object;
      const reply = await ada.patch(`${collection}/${id}`, { ...body, name: 'Renamed' });
      expect(reply.status, reply.text).to.equal(200);
      expect(reply.json()).to.include({ id, name: 'Renamed', enforceTwoFactor: false });
      const storage = { used: 0, limit: 1_000_000_000 };
      const read = await ada.get(`${collection}/${id}`);
      expect(read.json()).to.deep.equal({ ...(reply.json() as object), storage });
    });

    it('returns 422 with all violations at once', async () => {
      const reply = await ada.patch(itemOf(ada), { name: null, enforceTwoFactor: 'yes', plan: 'FREE' });
      expectProblem(reply, 422, 'validation-failed', [
        'name: member.required',
        'enforceTwoFactor: member.type',
        'plan: member.unknown',
      ]);
    });

    it('returns 409 for an owner who requires a second factor without having one', async () => {
      const reply = await ada.patch(itemOf(ada), { enforceTwoFactor: true });
      expectProblem(reply, 409, 'own-second-factor-missing');
    });
  });

  describe('DELETE /api/organizations/{id}', () => {
    it('returns 204, and the organization is gone', async () => {
      const { id } = await create(ada);
      const reply = await ada.delete(`${collection}/${id}`);
      expect([reply.status, reply.text]).to.deep.equal([204, '']);
      expectProblem(await ada.get(`${collection}/${id}`), 404, 'not-found');
    });

    it('returns 409 while it has zones', async () => {
      const user = await aVerifiedUser(service);
      await aZone(user);
      expectProblem(await user.delete(itemOf(user)), 409, 'organization-not-empty');
    });
  });

  it('a required second factor: returns 403 to members and API tokens of members without one, and hides its zones', async () => {
    const owner = await aTwoFactorUser(service);
    const member = await aMember(service, owner, 'editor');
    await aZone(owner);
    const own = await aZone(member);
    enforceTwoFactor(service, owner);
    const reply = await member.get('/api/zones');
    expect((reply.json() as { id: string }[]).map(({ id }) => id)).to.deep.equal([own.id]);
    expect(reply.headers.get('x-total-count')).to.equal('1');
    for (const client of [member, await anApiToken(member)]) {
      const filtered = await client.get(`/api/zones?organization=${owner.organization}`);
      expectProblem(filtered, 403, 'two-factor-required');
    }
    expect((await member.get('/api/users/me')).json()).to.include({ twoFactorEnabled: false, twoFactorEnforced: true });
  });
});
