import { expect } from 'chai';
import {
  aMember,
  anApiToken,
  aRule,
  aVerifiedUser,
  aZone,
  join,
  rulesOf,
  type User,
  unique,
} from './support/arrange.ts';
import { expectProblem } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import { aTwoFactorUser, enableTwoFactor, enforceTwoFactor } from './support/two-factor.ts';

const collection = '/api/organizations';
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

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
    it('answers 201 with the organization, owned by the caller', async () => {
      const reply = await ada.post(collection, { name: ' Engines ' });
      expect(reply.status).to.equal(201);
      expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      const { id, createdAt, updatedAt, ...rest } = reply.json() as OrganizationBody;
      expect(rest).to.deep.equal({ name: 'Engines', enforceTwoFactor: false });
      expect(id).to.be.a('number').that.is.greaterThan(0);
      expect([createdAt, updatedAt]).to.satisfy((all: string[]) => all.every((each) => timestamp.test(each)));
      expect(reply.headers.get('location')).to.equal(`${collection}/${id}`);
      expect((await ada.get(`${collection}/${id}/members/${ada.id}`)).json()).to.include({ role: 'owner' });
    });

    it('answers 201 as linked data, to linked data, and to what GET returned', async () => {
      const headers = { accept: 'application/ld+json', 'content-type': 'application/ld+json' };
      const linked = (await ada.get(itemOf(ada), { accept: 'application/ld+json' })).json() as object;
      const reply = await ada.post(collection, { ...linked, name: 'Copy' }, headers);
      expect(reply.status, reply.text).to.equal(201);
      expect(reply.json()).to.include({ '@type': 'Organization', name: 'Copy' });
    });

    const refused: readonly (readonly [what: string, body: unknown, violation: string])[] = [
      ['no name', {}, 'name: member.required'],
      ['an empty name', { name: ' ' }, 'name: text.tooShort'],
      ['a name of 256 characters', { name: 'x'.repeat(256) }, 'name: text.tooLong'],
      ['a number as name', { name: 1 }, 'name: member.type'],
      ['an unknown member', { name: 'a', owner: 'x' }, 'owner: member.unknown'],
      ['a second-factor policy', { name: 'a', enforceTwoFactor: true }, 'enforceTwoFactor: value.choice'],
    ];
    for (const [what, body, violation] of refused) {
      it(`answers 422 to ${what}`, async () => {
        expectProblem(await ada.post(collection, body), 422, 'validation-failed', [violation]);
      });
    }
  });

  describe('GET /api/organizations', () => {
    it("answers 200 with the caller's organizations by name, paginated", async () => {
      const user = await aVerifiedUser(service);
      for (const name of ['zeta', 'Beta', 'alpha']) await create(user, name);
      const names = async (query = '') =>
        ((await user.get(`${collection}${query}`)).json() as OrganizationBody[]).map(({ name }) => name);
      expect(await names()).to.deep.equal(['Ada Lovelace', 'alpha', 'Beta', 'zeta']);
      expect(await names('?itemsPerPage=2&page=2')).to.deep.equal(['Beta', 'zeta']);
      const reply = await user.get(`${collection}?itemsPerPage=1`);
      expect(reply.headers.get('x-total-count')).to.equal('4');
      expect(reply.headers.get('link')).to.include('rel="next"');
    });

    it('answers 200 with organizations of other owners, and those that require a second factor first', async () => {
      const owner = await aVerifiedUser(service);
      const member = await aMember(service, owner, 'viewer');
      enforceTwoFactor(service, owner);
      const ids = ((await member.get(collection)).json() as OrganizationBody[]).map(({ id }) => id);
      expect(ids).to.have.members([owner.organization, member.organization]);
    });
  });

  describe('GET /api/organizations/{id}', () => {
    it('answers 403 to another organization, 404 if it does not exist or the id is invalid', async () => {
      const other = await aVerifiedUser(service);
      expectProblem(await ada.get(itemOf(other)), 403, 'forbidden');
      for (const id of ['999999999', '0', '-1', 'abc', '01', '99999999999', '2147483648']) {
        expectProblem(await ada.get(`${collection}/${id}`), 404, 'not-found');
      }
    });
  });

  describe('PATCH /api/organizations/{id}', () => {
    it('answers 200 with the new name', async () => {
      const organization = await create(ada);
      const reply = await ada.patch(`${collection}/${organization.id}`, { name: 'Renamed' });
      expect(reply.status).to.equal(200);
      expect(reply.json()).to.include({ id: organization.id, name: 'Renamed', enforceTwoFactor: false });
      const storage = { used: 0, limit: 1_000_000_000 };
      const read = await ada.get(`${collection}/${organization.id}`);
      expect(read.json()).to.deep.equal({ ...(reply.json() as object), storage });
    });

    it('answers 200 to what GET returned', async () => {
      const body = (await ada.get(itemOf(ada), { accept: 'application/ld+json' })).json() as object;
      expect((await ada.patch(itemOf(ada), body)).status).to.equal(200);
    });

    const refused: readonly (readonly [what: string, body: unknown, violation: string])[] = [
      ['an empty name', { name: '' }, 'name: text.tooShort'],
      ['the removal of the name', { name: null }, 'name: member.required'],
      ['a policy that is not a boolean', { enforceTwoFactor: 'yes' }, 'enforceTwoFactor: member.type'],
      ['an unknown member', { plan: 'FREE' }, 'plan: member.unknown'],
    ];
    for (const [what, body, violation] of refused) {
      it(`answers 422 to ${what}`, async () => {
        expectProblem(await ada.patch(itemOf(ada), body), 422, 'validation-failed', [violation]);
      });
    }

    it('answers 409 to an owner who requires a second factor without having one, 200 with one', async () => {
      const owner = await aVerifiedUser(service);
      const demand = { enforceTwoFactor: true };
      expectProblem(await owner.patch(itemOf(owner), demand), 409, 'own-second-factor-missing');
      expect((await owner.get(itemOf(owner))).json()).to.include({ enforceTwoFactor: false });
      await enableTwoFactor(service, owner);
      expect((await owner.patch(itemOf(owner), demand)).json()).to.include(demand);
      expect((await owner.patch(itemOf(owner), { enforceTwoFactor: false })).status).to.equal(200);
    });

    it('answers 403 to an admin who changes the policy, 200 to one who changes only the name', async () => {
      const owner = await aTwoFactorUser(service);
      const admin = await enableTwoFactor(service, await aMember(service, owner, 'admin'));
      expectProblem(await admin.patch(itemOf(owner), { enforceTwoFactor: true }), 403, 'forbidden');
      const same = { name: 'By admin', enforceTwoFactor: false };
      expect((await admin.patch(itemOf(owner), same)).status).to.equal(200);
    });
  });

  describe('DELETE /api/organizations/{id}', () => {
    it('answers 204, and the organization is gone for everyone', async () => {
      const { id } = await create(ada);
      const member = await aVerifiedUser(service);
      await join(service, member, id, 'editor');
      const reply = await ada.delete(`${collection}/${id}`);
      expect([reply.status, reply.text]).to.deep.equal([204, '']);
      for (const user of [ada, member]) expectProblem(await user.get(`${collection}/${id}`), 404, 'not-found');
      expectProblem(await ada.delete(`${collection}/${id}`), 404, 'not-found');
    });

    it('answers 409 while it has zones, without any effect', async () => {
      const user = await aVerifiedUser(service);
      const zone = await aZone(user);
      expectProblem(await user.delete(itemOf(user)), 409, 'organization-not-empty');
      expect((await user.get(`/api/zones/${zone.id}`)).status).to.equal(200);
      expect((await user.delete(`/api/zones/${zone.id}`)).status).to.equal(204);
      expect((await user.delete(itemOf(user))).status).to.equal(204);
    });
  });

  describe('a required second factor', () => {
    let owner: User;
    let member: User;
    let zone: { readonly id: string };
    let rule: { readonly id: string };
    let own: { readonly id: string };

    before(async () => {
      owner = await aTwoFactorUser(service);
      member = await aMember(service, owner, 'editor');
      const made = await aZone(owner);
      zone = made;
      rule = await aRule(owner, made);
      own = await aZone(member);
      expect((await owner.patch(itemOf(owner), { enforceTwoFactor: true })).status).to.equal(200);
    });

    it('hides its zones from the general list of a member without one', async () => {
      const reply = await member.get('/api/zones');
      expect(reply.status).to.equal(200);
      expect((reply.json() as { id: string }[]).map(({ id }) => id)).to.deep.equal([own.id]);
      expect(reply.headers.get('x-total-count')).to.equal('1');
    });

    it('answers 403 when the filter names the organization', async () => {
      const reply = await member.get(`/api/zones?organization=${owner.organization}`);
      expectProblem(reply, 403, 'two-factor-required');
    });

    it('answers 403 to every read and write of its zones and rules', async () => {
      const rules = rulesOf(zone);
      const body = { name: 'x', conditions: { logic: 'and', conditions: [{ field: 'uri', operator: 'exists' }] } };
      const replies = [
        await member.get(`/api/zones/${zone.id}`),
        await member.post('/api/zones', { name: 'x', organization: owner.organization }),
        await member.get(rules),
        await member.post(rules, body),
        await member.get(`${rules}/${rule.id}`),
        await member.patch(`${rules}/${rule.id}`, { enabled: false }),
        await member.delete(`${rules}/${rule.id}`),
      ];
      for (const reply of replies) expectProblem(reply, 403, 'two-factor-required');
      // Editors may not delete zones at all.
      expectProblem(await member.delete(`/api/zones/${zone.id}`), 403, 'forbidden');
    });

    it('answers 403 to API tokens of a member without one', async () => {
      const client = await anApiToken(member);
      expectProblem(await client.get(`/api/zones/${zone.id}`), 403, 'two-factor-required');
      expect((await client.get(`/api/zones/${own.id}`)).status).to.equal(200);
    });

    it("is shown in the member's profile", async () => {
      expect((await member.get('/api/users/me')).json()).to.include({
        twoFactorEnabled: false,
        twoFactorEnforced: true,
      });
    });

    it('answers 403 even to a member without one who leaves', async () => {
      const leaver = await aMember(service, owner, 'viewer');
      expectProblem(await leaver.delete(`${itemOf(owner)}/members/${leaver.id}`), 403, 'two-factor-required');
    });

    it('answers 200 as soon as the member has one', async () => {
      await enableTwoFactor(service, member);
      expect((await member.get(`/api/zones/${zone.id}`)).status).to.equal(200);
      expect((await member.get('/api/zones')).json()).to.have.length(2);
    });
  });
});
