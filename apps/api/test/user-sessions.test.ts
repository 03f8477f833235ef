import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { aVerifiedUser, logIn, sessionOf, type User } from './support/arrange.ts';
import { type Client, clientOf, expectProblem } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';

const path = '/api/users/me/sessions';
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

interface SessionBody {
  readonly id: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly expiresAt: string;
  readonly userAgent?: string;
  readonly current: boolean;
  readonly twoFactor: boolean;
}

describe("The user's sessions", () => {
  let service: MemoryService;
  let anonymous: Client;
  let ada: User;

  before(async () => {
    service = await openMemoryService();
    anonymous = clientOf(service.url);
  });
  beforeEach(async () => {
    ada = await aVerifiedUser(service);
  });
  after(() => service.close());

  const list = async (query = '') => (await ada.get(`${path}${query}`)).json() as SessionBody[];
  const statusOfMe = async (token: string) =>
    (await anonymous.get('/api/users/me', { authorization: `Bearer ${token}` })).status;

  describe(`GET ${path}`, () => {
    it("answers 200 with the user's sessions, marking the current one", async () => {
      const login = { email: ada.email, password: ada.password };
      await anonymous.post('/api/auth/login', login, { 'user-agent': 'Curious/1.0' });
      const reply = await ada.get(path);
      expect(reply.status).to.equal(200);
      expect(reply.headers.get('cache-control')).to.equal('no-store');
      expect(reply.headers.get('x-total-count')).to.equal('2');
      const [second, first] = reply.json() as SessionBody[];
      expect(Object.keys(first ?? {})).to.deep.equal([
        'id',
        'createdAt',
        'lastUsedAt',
        'expiresAt',
        'current',
        'twoFactor',
      ]);
      expect(first).to.include({ id: sessionOf(ada.token), current: true, twoFactor: false });
      expect(second).to.include({ userAgent: 'Curious/1.0', current: false });
      for (const moment of [first?.createdAt, first?.lastUsedAt, first?.expiresAt]) expect(moment).to.match(timestamp);
      const days = (Date.parse(first?.expiresAt ?? '') - Date.parse(first?.createdAt ?? '')) / 86_400_000;
      expect(days).to.equal(90);
    });

    it('answers 200 with the most recently used session first, paginated', async () => {
      await logIn(service, ada);
      expect((await anonymous.post('/api/auth/refresh', { refreshToken: ada.refreshToken })).status).to.equal(200);
      expect((await list()).map(({ current }) => current)).to.deep.equal([true, false]);
      expect((await list('?itemsPerPage=1&page=2')).map(({ current }) => current)).to.deep.equal([false]);
    });

    it('answers 200 as linked data on demand', async () => {
      const reply = await ada.get(path, { accept: 'application/ld+json' });
      expect(reply.json()).to.deep.include({ '@type': 'Collection', totalItems: 1 });
      expect(reply.json()).to.have.nested.property('member[0].@type', 'Session');
    });
  });

  describe(`DELETE ${path}`, () => {
    it('answers 204 and ends every other session, but none of anybody else', async () => {
      const [second, eve] = [await logIn(service, ada), await aVerifiedUser(service)];
      expect((await ada.delete(path)).status).to.equal(204);
      expect(await statusOfMe(second.token)).to.equal(401);
      expect([await statusOfMe(ada.token), await statusOfMe(eve.token)]).to.deep.equal([200, 200]);
    });
  });

  describe(`DELETE ${path}/{id}`, () => {
    it('answers 204 and ends that session immediately, and no other', async () => {
      const second = await logIn(service, ada);
      const reply = await ada.delete(`${path}/${sessionOf(second.token)}`);
      expect([reply.status, reply.text]).to.deep.equal([204, '']);
      expect(await statusOfMe(second.token)).to.equal(401);
      expect((await anonymous.post('/api/auth/refresh', { refreshToken: second.refreshToken })).status).to.equal(401);
      expect(await statusOfMe(ada.token)).to.equal(200);
    });

    it('answers 204 whatever If-Match says: a session has no version', async () => {
      const { token } = await logIn(service, ada);
      const reply = await ada.delete(`${path}/${sessionOf(token)}`, { 'if-match': '"1"' });
      expect([reply.status, reply.headers.get('etag')]).to.deep.equal([204, null]);
    });

    it('answers 404 to a session that has ended, belongs to someone else, or has an invalid id', async () => {
      const second = await logIn(service, ada);
      const eve = await aVerifiedUser(service);
      expectProblem(await eve.delete(`${path}/${sessionOf(second.token)}`), 404, 'not-found');
      expect(await statusOfMe(second.token)).to.equal(200);
      expect((await ada.delete(`${path}/${sessionOf(second.token)}`)).status).to.equal(204);
      expectProblem(await ada.delete(`${path}/${sessionOf(second.token)}`), 404, 'not-found');
      expectProblem(await ada.delete(`${path}/${randomUUID()}`), 404, 'not-found');
      expectProblem(await ada.delete(`${path}/1`), 404, 'not-found');
    });
  });
});
