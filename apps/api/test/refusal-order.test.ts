import {
  aMember,
  aRule,
  aVerifiedUser,
  aZone,
  type RuleBody,
  rulesOf,
  type User,
  type ZoneBody,
} from './support/arrange.ts';
import { type Client, clientOf, expectProblem } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';

const missingId = '0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e';

describe('Of several reasons to refuse a request', () => {
  let service: MemoryService;
  let anonymous: Client;
  let ada: User;
  let viewer: User;
  let stranger: User;
  let zone: ZoneBody;
  let rule: RuleBody;

  before(async () => {
    service = await openMemoryService();
    anonymous = clientOf(service.url);
    [ada, stranger] = await Promise.all([aVerifiedUser(service), aVerifiedUser(service)]);
    viewer = await aMember(service, ada, 'viewer');
    zone = await aZone(ada);
    rule = await aRule(ada, zone);
  });
  after(() => service.close());

  const pathOf = ({ id }: Pick<RuleBody, 'id'>) => `${rulesOf(zone)}/${id}`;
  const malformed = { headers: { 'content-type': 'application/merge-patch+json' }, body: '{"name":' };
  const wrongType = { headers: { 'content-type': 'application/json' }, body: '{"name":' };
  const send = (client: Client, path: string, call: Parameters<Client['send']>[2]) => client.send('PATCH', path, call);

  it('401 comes before 415 and 406', async () => {
    const call = { ...wrongType, headers: { ...wrongType.headers, accept: 'text/html' } };
    expectProblem(await send(anonymous, pathOf(rule), call), 401, 'unauthenticated');
  });

  it('404 of an unknown path and 405 come before 401', async () => {
    expectProblem(await send(anonymous, `${pathOf(rule)}/more`, malformed), 404, 'not-found');
    expectProblem(await send(anonymous, rulesOf(zone), malformed), 405, 'method-not-allowed');
  });

  it('406 comes before 403 and 404', async () => {
    const call = { ...malformed, headers: { ...malformed.headers, accept: 'text/html' } };
    for (const path of [pathOf(rule), pathOf({ id: missingId })]) {
      expectProblem(await send(stranger, path, call), 406, 'not-acceptable');
    }
  });

  it('415 comes before 403 and 404', async () => {
    for (const type of ['application/json', 'application/ld+json', 'text/plain']) {
      const call = { ...malformed, headers: { 'content-type': type } };
      expectProblem(await send(stranger, pathOf(rule), call), 415, 'unsupported-media-type');
      expectProblem(await send(ada, pathOf({ id: missingId }), call), 415, 'unsupported-media-type');
    }
    expectProblem(await send(ada, pathOf(rule), { body: '{}' }), 415, 'unsupported-media-type');
  });

  it('404 comes before 400 and 422', async () => {
    for (const path of [pathOf({ id: missingId }), `${rulesOf({ id: missingId })}/${rule.id}`]) {
      expectProblem(await send(ada, path, malformed), 404, 'not-found');
      expectProblem(await ada.patch(path, { name: 7, unknown: 1 }), 404, 'not-found');
    }
  });

  it('403 comes before 400 and 422', async () => {
    for (const user of [viewer, stranger]) {
      expectProblem(await send(user, pathOf(rule), malformed), 403, 'forbidden');
      expectProblem(await user.patch(pathOf(rule), { name: 7, zone: missingId }), 403, 'forbidden');
      expectProblem(await user.patch(pathOf({ id: missingId }), { name: 7 }), 403, 'forbidden');
    }
  });

  it('403 and 404 come before 400 and 422 on POST', async () => {
    const call = { headers: { 'content-type': 'application/json' }, body: '{' };
    for (const user of [viewer, stranger]) {
      expectProblem(await user.send('POST', rulesOf(zone), call), 403, 'forbidden');
      expectProblem(await user.post(rulesOf(zone), { name: 7 }), 403, 'forbidden');
    }
    expectProblem(await ada.send('POST', rulesOf({ id: missingId }), call), 404, 'not-found');
    expectProblem(await ada.post(rulesOf({ id: missingId }), { name: 7 }), 404, 'not-found');
  });

  it('400 comes before 422: malformed JSON, JSON that is not an object, no body', async () => {
    const { headers } = malformed;
    for (const body of ['{"name":', '[]', '"x"', 'null', '7']) {
      expectProblem(await send(ada, pathOf(rule), { headers, body }), 400, 'malformed-body');
    }
    expectProblem(await send(ada, pathOf(rule), {}), 400, 'malformed-body');
  });
});
