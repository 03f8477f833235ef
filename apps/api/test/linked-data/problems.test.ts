import { expect } from 'chai';
import { aVerifiedUser, type User } from '../support/arrange.ts';
import { expectProblem } from '../support/client.ts';
import { type MemoryService, openMemoryService } from '../support/memory-service.ts';
import { rawRequest } from '../support/raw-http.ts';

describe('A problem document', () => {
  let service: MemoryService;
  let ada: User;

  before(async () => {
    service = await openMemoryService();
    ada = await aVerifiedUser(service);
  });
  after(() => service.close());

  const notFound = {
    type: '/errors/not-found',
    title: 'Not found',
    status: 404,
    detail: 'There is no such resource.',
  };

  for (const accept of [
    '*/*',
    'application/*',
    'application/json',
    'application/problem+json',
    'text/html',
    'image/png',
    'application/json, application/ld+json',
    'application/ld+json;q=0',
    'application/ld+json;q=0.5, */*',
  ]) {
    it(`is plain for Accept: ${accept}`, async () => {
      const reply = await ada.get('/api/zones/none', { accept });
      // An unacceptable format is rejected before the lookup.
      if (reply.status === 404) expect(reply.json()).to.deep.equal(notFound);
      expect(reply.json()).not.to.have.any.keys('@context', '@id', '@type', 'description');
      expect(reply.headers.get('content-type')).to.equal('application/problem+json; charset=utf-8');
    });
  }

  it('is plain without Accept', async () => {
    const { status, body } = await rawRequest(service.url, 'GET /nowhere');
    expect([status, JSON.parse(body)]).to.deep.equal([404, notFound]);
  });

  for (const accept of [
    'application/ld+json',
    'application/ld+json, */*;q=0.1',
    'application/ld+json, application/json',
    'application/json;q=0.5, application/ld+json',
  ]) {
    it(`is linked data for Accept: ${accept}`, async () => {
      const reply = await ada.get('/api/zones/none', { accept });
      expect(reply.json()).to.deep.equal({
        '@context': '/api/contexts/Error',
        '@id': '/errors/not-found',
        '@type': 'Error',
        ...notFound,
        description: notFound.detail,
      });
      expect(reply.headers.get('content-type')).to.equal('application/problem+json; charset=utf-8');
    });
  }

  it('is a ConstraintViolation when it lists values, in queries as in bodies', async () => {
    const accept = 'application/ld+json';
    const body = await ada.post('/api/zones', { name: '' }, { accept });
    const query = await ada.get('/api/zones?page=0', { accept });
    expectProblem(body, 422, 'validation-failed', ['name: text.tooShort']);
    expectProblem(query, 400, 'invalid-query', ['page: number.range']);
    for (const reply of [body, query]) {
      const { type, detail } = reply.json() as typeof notFound;
      expect(reply.json()).to.deep.include({
        '@context': '/api/contexts/ConstraintViolation',
        '@id': type,
        '@type': 'ConstraintViolation',
        description: detail,
      });
    }
  });

  it('varies on Accept', async () => {
    for (const path of ['/nowhere', '/api/zones/none', '/api/zones?page=0']) {
      expect((await ada.get(path)).headers.get('vary')).to.match(/\bAccept\b/);
    }
  });
});
