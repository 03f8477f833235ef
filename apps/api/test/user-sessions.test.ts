import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { aVerifiedUser, logIn, sessionOf, type User } from './support/arrange.ts';
import { type Client, clientOf, expectProblem } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';

const path = '/api/users/me/sessions';
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

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

  const statusOfMe = async (token: string) =>
    (await anonymous.get('/api/users/me', { authorization: `Bearer ${token}` })).status;

  it(`GET ${path} returns 200 with the user's sessions, marking the current one, page by page or as linked data`, async () => {
    const login = { email: ada.email, password: ada.password };
    await anonymous.post('/api/auth/login', login, { 'user-agent': 'Curious/1.0' });
    const reply = await ada.get(path);
    expect(reply.status).to.equal(200);
    expect(reply.headers.get('cache-control')).to.equal('no-store');
    expect(reply.headers.get('x-total-count')).to.equal('2');
    const [second, first] = reply.json() as Readonly<Record<string, unknown>>[];
    const members = ['id', 'createdAt', 'lastUsedAt', 'expiresAt', 'current', 'twoFactor'];
    expect(Object.keys(first ?? {})).to.deep.equal(members);
    expect(first).to.include({ id: sessionOf(ada.token), current: true, twoFactor: false });
    expect(second).to.include({ userAgent: 'Curious/1.0', current: false });
    for (const moment of ['createdAt', 'lastUsedAt', 'expiresAt']) expect(first?.[moment]).to.match(timestamp);
    expect((await ada.get(`${path}?itemsPerPage=1&page=2`)).json()).to.deep.equal([first]);
    const linked = (await ada.get(path, { accept: 'application/ld+json' })).json();
    expect(linked).to.deep.include({ '@type': 'Collection', totalItems: 2 });
    expect(linked).to.have.nested.property('member[0].@type', 'Session');
  });

  it(`DELETE ${path} returns 204 and ends every other session`, async () => {
    const second = await logIn(service, ada);
    expect((await ada.delete(path)).status).to.equal(204);
    expect([await statusOfMe(second.token), await statusOfMe(ada.token)]).to.deep.equal([401, 200]);
  });

  it(`DELETE ${path}/{id} returns 204 and ends that session, whatever If-Match says: a session has no version`, async () => {
    const second = await logIn(service, ada);
    const reply = await ada.delete(`${path}/${sessionOf(second.token)}`, { 'if-match': '"1"' });
    expect([reply.status, reply.text, reply.headers.get('etag')]).to.deep.equal([204, '', null]);
    expect([await statusOfMe(second.token), await statusOfMe(ada.token)]).to.deep.equal([401, 200]);
  });

  it(`DELETE ${path}/{id} returns 404 for the session of another user, an unknown and an invalid id`, async () => {
    const eve = await aVerifiedUser(service);
    for (const id of [sessionOf(eve.token), randomUUID(), '1']) {
      expectProblem(await ada.delete(`${path}/${id}`), 404, 'not-found');
    }
    expect(await statusOfMe(eve.token)).to.equal(200);
  });
});
