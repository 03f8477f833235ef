import { auditActions } from '@zonewright/core';
import { expect } from 'chai';
import { aMember, anApiToken, aRule, aVerifiedUser, aZone, sessionOf, type User } from './support/arrange.ts';
import { clientOf, expectProblem } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import { beginSetup, wrongCodeFor } from './support/two-factor.ts';

interface AuditEntryBody {
  readonly id: string;
  readonly at: string;
  readonly action: string;
  readonly actor?: string;
  readonly credential?: string;
  readonly objects: Readonly<Record<string, string>>;
  readonly network?: string;
  readonly userAgent?: string;
}

describe('The audit log', () => {
  let service: MemoryService;
  let owner: User;

  before(async () => {
    service = await openMemoryService();
  });
  beforeEach(async () => {
    owner = await aVerifiedUser(service);
  });
  after(() => service.close());

  const path = () => `/api/organizations/${owner.organization}/audit-log`;
  const entries = async (query = '') => (await owner.get(`${path()}${query}`)).json() as AuditEntryBody[];
  /** All recorded entries, oldest first, including those that no endpoint shows. */
  const recorded = () => service.inTables(({ auditLog }) => [...auditLog.values()]);
  const actions = async (query = '') => (await entries(query)).map(({ action }) => action);

  describe('GET /api/organizations/{id}/audit-log', () => {
    it('returns 200 with who did what, when and from where, newest first', async () => {
      const zone = await owner.post('/api/zones', { name: 'logged' }, { 'user-agent': 'Curious/1.0' });
      const { id } = zone.json() as { id: string };
      await owner.delete(`/api/zones/${id}`);
      const reply = await owner.get(path());
      expect(reply.status).to.equal(200);
      expect(reply.headers.get('cache-control')).to.equal('no-store');
      expect(reply.headers.get('x-total-count')).to.equal('2');
      const [deleted, created] = reply.json() as AuditEntryBody[];
      expect(deleted?.action).to.equal('zone.deleted');
      const { id: entry, at, ...rest } = created ?? expect.fail('no entry');
      expect(entry).to.match(/^\d+$/);
      expect(at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(rest).to.deep.equal({
        action: 'zone.created',
        actor: `/api/users/${owner.id}`,
        credential: sessionOf(owner.token),
        objects: { zone: id },
        network: '127.0.0.1',
        userAgent: 'Curious/1.0',
      });
    });

    it('returns 200 as linked data on demand, with its filters', async () => {
      await aZone(owner);
      const reply = await owner.get(path(), { accept: 'application/ld+json' });
      expect(reply.json()).to.deep.include({ '@type': 'Collection', totalItems: 1 });
      expect(reply.json()).to.have.nested.property('member[0].@type', 'AuditEntry');
      expect(reply.text).to.include('{?action,action[],actor,since,until}');
    });

    it('returns 200 page by page to every filter', async () => {
      const admin = await aMember(service, owner, 'admin');
      const zone = await aZone(owner);
      await aRule(admin, zone);
      await owner.delete(`/api/zones/${zone.id}`);
      const reply = await owner.get(`${path()}?itemsPerPage=2&page=2`);
      expect(reply.headers.get('link')).to.include('rel="prev"');
      expect((reply.json() as AuditEntryBody[]).map(({ action }) => action)).to.deep.equal(['zone.created']);
      const [, rule] = await entries();
      const at = encodeURIComponent(rule?.at ?? '');
      for (const [query, ...found] of [
        ['action=zone.created', 'zone.created'],
        ['action[]=zone.created&action[]=zone.deleted', 'zone.deleted', 'zone.created'],
        [`actor=${admin.id}`, 'configurationRule.created'],
        [`since=${at}`, 'zone.deleted', 'configurationRule.created'],
        [`until=${at}`, 'zone.created'],
      ]) {
        expect(await actions(`?${query}`)).to.deep.equal(found);
      }
    });

    it('returns 422 for an unknown action, 400 to an invalid id, timestamp or number', async () => {
      expectProblem(await owner.get(`${path()}?action=zone.exploded`), 422, 'validation-failed', [
        'action: value.choice',
      ]);
      for (const query of ['actor=ada', 'since=yesterday', 'until=1', 'page=0', 'action=a&action=b']) {
        expectProblemOf(await owner.get(`${path()}?${query}`), query);
      }
    });
  });

  describe('entries', () => {
    /** In order of recording. They belong to no organization, so no endpoint shows them. */
    const entriesOf = ({ id }: Pick<User, 'id'>) =>
      recorded()
        .filter(({ actor }) => actor === id)
        .map(({ action }) => action);

    it('describe refused passwords and codes, API tokens where a session is required, and refused invitations', async () => {
      const user = await aVerifiedUser(service);
      const token = await anApiToken(user);
      await user.post('/api/users/me/password', { currentPassword: 'wrong', newPassword: 'New-Battery-8' });
      await token.get('/api/api-tokens');
      await token.delete(`/api/organizations/${user.organization}`);
      await user.post('/api/invitations/accept', { token: 'unknown' });
      const { secret } = await beginSetup(user);
      await user.post('/api/2fa/confirm', { code: wrongCodeFor(secret) });
      expect(entriesOf(user).slice(1)).to.deep.equal([
        'apiToken.created',
        'account.passwordRefused',
        'access.sessionRequired',
        'access.sessionRequired',
        'mailedToken.refused',
        'twoFactor.setupBegun',
        'twoFactor.codeRefused',
      ]);
    });

    it('show owners what members and tokens were refused in the organization', async () => {
      const zone = await aZone(owner);
      const viewer = await aMember(service, owner, 'viewer');
      const readOnly = await anApiToken(owner, { readOnly: true });
      const token = await anApiToken(owner);
      await viewer.patch(`/api/zones/${zone.id}`, { name: 'mine' });
      await viewer.patch(`/api/organizations/${owner.organization}`, { name: 'mine' });
      await readOnly.delete(`/api/zones/${zone.id}`);
      await token.delete(`/api/organizations/${owner.organization}`);
      expect((await actions('?itemsPerPage=4')).toSorted()).to.deep.equal([
        'access.denied',
        'access.denied',
        'access.readOnlyWriteRefused',
        'access.sessionRequired',
      ]);
      expect((await entries('?itemsPerPage=4'))[3]).to.deep.include({
        action: 'access.denied',
        actor: `/api/users/${viewer.id}`,
        objects: { route: '/api/zones/:id', id: zone.id },
      });
    });

    it('show owners what strangers tried in the organization, but only the first twenty of all of them', async () => {
      const zone = await aZone(owner);
      const strangers = [await aVerifiedUser(service), await aVerifiedUser(service)];
      const before = await actions();
      for (let attempt = 0; attempt < 26; attempt += 1) {
        const stranger = strangers[attempt % 2] ?? owner;
        const paths = [`/api/zones/${zone.id}`, `/api/organizations/${owner.organization}`];
        expectProblem(await stranger.get(paths[attempt % 3] ?? `${paths[0]}/findings`), 403, 'forbidden');
      }
      const seen = (await actions('?itemsPerPage=100')).length - before.length;
      const all = strangers.flatMap((stranger) => entriesOf(stranger)).filter((action) => action === 'access.denied');
      expect([seen, all.length]).to.deep.equal([20, 26]);
      const viewer = await aMember(service, owner, 'viewer');
      await viewer.delete(`/api/zones/${zone.id}`);
      expect((await actions('?itemsPerPage=1'))[0]).to.equal('access.denied');
    });

    it('are limited to one per network, route and window for rejections that strangers can cause', async () => {
      const anonymous = clientOf(service.url);
      const cookie = `__Host-access_token=${owner.token}`;
      for (let attempt = 0; attempt < 3; attempt += 1) {
        await anonymous.post('/api/auth/verify-email', { token: 'unknown' });
        await anonymous.post('/api/auth/reset-password', { token: 'unknown', password: 'New-Battery-8' });
        await anonymous.post('/api/auth/2fa', { challengeToken: 'unknown', code: '123456' });
        await anonymous.post('/api/zones', { name: 'x' }, { cookie, origin: 'https://evil.example' });
        await anonymous.post('/api/auth/logout', undefined, { 'x-api-token': 'unknown' });
      }
      const refusals = ['mailedToken.refused', 'challenge.refused', 'access.foreignOrigin', 'access.sessionRequired'];
      const found = recorded()
        .filter(({ actor, action }) => actor === undefined && refusals.includes(action))
        .map(({ action, objects, client }) => ({ action, route: objects['route'], network: client.network }));
      const network = '127.0.0.1';
      expect(found).to.deep.equal([
        { action: 'mailedToken.refused', route: '/api/auth/verify-email', network },
        { action: 'mailedToken.refused', route: '/api/auth/reset-password', network },
        { action: 'challenge.refused', route: '/api/auth/2fa', network },
        { action: 'access.foreignOrigin', route: '/api/zones', network },
        { action: 'access.sessionRequired', route: '/api/auth/logout', network },
      ]);
    });

    it('use only the documented actions', async () => {
      expect(auditActions).to.include.members(recorded().map(({ action }) => action));
    });
  });
});

const expectProblemOf = (reply: Parameters<typeof expectProblem>[0], query: string) => {
  expect(reply.status, query).to.equal(400);
  expect(reply.json()).to.include({ type: '/errors/invalid-query' });
};
