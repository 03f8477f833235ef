import { expect } from 'chai';
import type { Route } from '../src/http/route.ts';
import { aVerifiedUser, type User } from './support/arrange.ts';
import { clientOf, expectProblem } from './support/client.ts';
import { anEnrolledEdge } from './support/edges.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import { addressOf, named, routes, someOfEverything } from './support/route-table.ts';

/** Properties of all routes, each checked once here and nowhere else. */
describe('Every route', () => {
  let service: MemoryService;
  let ada: User;
  let key: string;
  let ids: Awaited<ReturnType<typeof someOfEverything>>;

  before(async () => {
    service = await openMemoryService();
    ada = await aVerifiedUser(service);
    ids = await someOfEverything(service, ada);
    ({ key } = await anEnrolledEdge(service));
  });
  after(() => service.close());

  const send = (route: Route, type: string, body: string) =>
    clientOf(service.url).send(route.method.toUpperCase(), addressOf(route, ids), {
      // A required precondition is checked before the body.
      headers: {
        'content-type': type,
        'if-match': '*',
        authorization: `Bearer ${route.access === 'edge' ? key : ada.token}`,
      },
      body,
    });
  const typeOf = ({ method }: Route) => (method === 'patch' ? 'application/merge-patch+json' : 'application/json');

  for (const route of routes.filter(({ readsBody }) => readsBody !== 'never')) {
    it(`answers 400 to ${named(route)} with malformed JSON or an unaccepted type of value`, async () => {
      const bodies = ['{', '{"a":1,}', '"text"', 'null', '7', ...(route.bodyShape === 'object' ? ['[]'] : [])];
      for (const body of bodies) expectProblem(await send(route, typeOf(route), body), 400, 'malformed-body');
    });

    it(`answers 415 to ${named(route)} with an unsupported media type`, async () => {
      const other = route.method === 'patch' ? 'application/json' : 'application/merge-patch+json';
      for (const type of [other, 'text/plain', 'application/x-www-form-urlencoded']) {
        expectProblem(await send(route, type, '{}'), 415, 'unsupported-media-type');
      }
    });
  }

  for (const route of routes.filter(({ readsBody }) => readsBody === 'required')) {
    it(`answers 400 to ${named(route)} without a body`, async () => {
      expectProblem(await send(route, typeOf(route), ''), 400, 'malformed-body');
    });
  }

  for (const route of routes.filter(
    ({ method, access }) => method === 'get' && access !== 'public' && access !== 'edge',
  )) {
    it(`answers 304 to ${named(route)} while the client's entity tag matches`, async () => {
      const path = addressOf(route, ids);
      const tag = (await ada.get(path)).headers.get('etag');
      if (tag === null) return;
      for (const condition of [tag, `"other", W/${tag}`, '*']) {
        const reply = await ada.get(path, { 'if-none-match': condition });
        expect([reply.status, reply.text]).to.deep.equal([304, '']);
        expect(reply.headers.get('etag')?.replace('W/', '')).to.equal(tag.replace('W/', ''));
      }
      expect((await ada.get(path, { 'if-none-match': '"other"' })).status).to.equal(200);
    });

    it(`answers 406 to ${named(route)} for an unsupported format`, async () => {
      expectProblem(await ada.get(addressOf(route, ids), { accept: 'text/csv' }), 406, 'not-acceptable');
    });
  }
});
