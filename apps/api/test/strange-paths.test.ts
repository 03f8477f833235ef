import { expect } from 'chai';
import { anApiToken, aVerifiedUser, type User } from './support/arrange.ts';
import { type Client, clientOf, expectProblem } from './support/client.ts';
import { defaultLimits } from './support/config.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';

/** Invalid ids: a database cannot store the first, and should not store the second. */
const segments = { 'U+0000': '%00', '15 KB of text': 'a'.repeat(15_000) };
const zoneId = '0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e';

describe('An invalid id in a path', () => {
  let service: MemoryService;
  let owner: User;
  let session: Client;
  let token: Client;
  let readOnlyToken: Client;
  let exhausted: Client;
  let recordedBefore: number;

  before(async () => {
    service = await openMemoryService({
      ...defaultLimits(),
      rateLimits: { ...defaultLimits().rateLimits, api: { points: 40, seconds: 900 } },
    });
    owner = await aVerifiedUser(service);
    session = owner;
    token = await anApiToken(owner);
    readOnlyToken = await anApiToken(owner, { readOnly: true });
    exhausted = await anApiToken(await aVerifiedUser(service));
    for (let count = 0; count < 40; count += 1) await exhausted.get('/api/users/me');
  });
  after(() => service.close());
  beforeEach(() => {
    recordedBefore = service.inTables(({ auditLog }) => auditLog.size);
  });

  /** Audit entries for the test's rejections. */
  const recorded = () =>
    service
      .inTables(({ auditLog }) => [...auditLog.values()].slice(recordedBefore))
      .filter(({ action }) => action.startsWith('access.'))
      .map(({ action, objects }) => ({ action, objects }));

  for (const [what, segment] of Object.entries(segments)) {
    it(`causes 404 for sessions and API tokens, 401 for strangers: ${what}`, async () => {
      for (const client of [session, token]) {
        expectProblem(await client.get(`/api/zones/${segment}`), 404, 'not-found');
        expectProblem(await client.delete(`/api/zones/${segment}`), 404, 'not-found');
        expectProblem(await client.patch(`/api/zones/${zoneId}/configuration-rules/${segment}`, {}), 404, 'not-found');
      }
      expectProblem(await clientOf(service.url).delete(`/api/zones/${segment}`), 401, 'unauthenticated');
      expect(recorded()).to.deep.equal([]);
    });

    it(`causes 403 for a read-only token on writes, recorded without the id: ${what}`, async () => {
      expectProblem(await readOnlyToken.get(`/api/zones/${segment}`), 404, 'not-found');
      expectProblem(await readOnlyToken.delete(`/api/zones/${segment}`), 403, 'read-only-token');
      const rule = `/api/zones/${zoneId}/configuration-rules/${segment}`;
      expectProblem(await readOnlyToken.delete(rule), 403, 'read-only-token');
      expect(recorded()).to.deep.equal([
        { action: 'access.readOnlyWriteRefused', objects: { route: '/api/zones/:id' } },
        {
          action: 'access.readOnlyWriteRefused',
          objects: { route: '/api/zones/:zoneId/configuration-rules/:id', zoneId },
        },
      ]);
    });
  }

  it('causes 429 for callers without points, recorded without the id', async () => {
    expectProblem(await exhausted.delete('/api/zones/%00'), 429, 'too-many-requests');
    expectProblem(await exhausted.delete(`/api/organizations/${'a'.repeat(15_000)}`), 429, 'too-many-requests');
    expect(recorded()).to.deep.equal([
      { action: 'access.limited', objects: { route: '/api/zones/:id' } },
      { action: 'access.limited', objects: { route: '/api/organizations/:id' } },
    ]);
  });

  it('never appears in the log', () => {
    expect(JSON.stringify(service.log)).to.not.match(/a{100}|%00|\\u0000/);
    expect(service.log.filter(({ level }) => Number(level) >= 50)).to.deep.equal([]);
  });
});
