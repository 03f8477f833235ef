import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import Koa from 'koa';
import { cors } from '../../src/http/cors.ts';

const listed = 'https://app.example.com';
const other = 'http://localhost:5173';

interface Reply {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

describe('cors', () => {
  let server: Server;

  /** Responds to every request with 200; /failing responds as the pipeline does after a caught failure. */
  const serve = async (origins: readonly string[]): Promise<void> => {
    const app = new Koa();
    app.use(async (ctx, next) => {
      try {
        await next();
      } catch {
        ctx.status = 500;
      }
    });
    app.use(cors(origins));
    app.use((ctx) => {
      if (ctx.path === '/failing') throw new Error('failure');
      ctx.vary('Accept');
      ctx.body = 'answer';
    });
    const handle = app.callback();
    server = createServer((incoming, response) => void handle(incoming, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  };

  /** Node's client, because `fetch` sets `Origin` itself. */
  const ask = (method: string, headers: Record<string, string>, path = '/'): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const { port } = server.address() as AddressInfo;
      const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
        response.resume();
        response.on('end', () => resolve({ status: response.statusCode, headers: response.headers }));
      });
      sent.on('error', reject).end();
    });

  const preflight = (origin: string) => ask('OPTIONS', { Origin: origin, 'Access-Control-Request-Method': 'PATCH' });

  const permissions = ({ headers }: Reply): string[] =>
    Object.keys(headers).filter((name) => name.startsWith('access-control-'));

  afterEach(() => {
    server.close();
  });

  describe('with an empty list', () => {
    beforeEach(() => serve([]));

    it('permits nothing and changes no response', async () => {
      const reply = await ask('GET', { Origin: listed });
      expect([reply.status, permissions(reply), reply.headers['vary']]).to.deep.equal([200, [], 'Accept']);
    });

    it('leaves OPTIONS requests to the pipeline', async () => {
      const reply = await preflight(listed);
      expect([reply.status, permissions(reply)]).to.deep.equal([200, []]);
    });
  });

  describe('with listed origins', () => {
    beforeEach(() => serve([listed, other]));

    for (const origin of [listed, other]) {
      it(`permits exactly ${origin}, including cookies`, async () => {
        const { status, headers } = await ask('GET', { Origin: origin });
        expect(status).to.equal(200);
        expect(headers).to.include({
          'access-control-allow-origin': origin,
          'access-control-allow-credentials': 'true',
          'access-control-expose-headers':
            'ETag, Link, Location, X-Total-Count, X-Request-Id, Idempotency-Replayed, Rule-Positions, RateLimit, RateLimit-Policy, Retry-After',
          vary: 'Origin, Accept',
        });
      });
    }

    it('answers the preflight request of a listed origin with 204 and the permissions', async () => {
      const reply = await preflight(listed);
      expect(reply.status).to.equal(204);
      expect(reply.headers).to.include({
        'access-control-allow-origin': listed,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers':
          'Authorization, Content-Type, X-API-TOKEN, If-Match, If-None-Match, Idempotency-Key, X-Request-Id',
        'access-control-max-age': '600',
        vary: 'Origin',
      });
    });

    it('allows no header field just because a preflight request names it', async () => {
      const preflightHeaders = { 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'X-Secret' };
      const { headers } = await ask('OPTIONS', { Origin: listed, ...preflightHeaders });
      expect(headers['access-control-allow-headers']).not.to.contain('X-Secret');
    });

    it('leaves other OPTIONS requests to the pipeline', async () => {
      expect((await ask('OPTIONS', { Origin: listed })).status).to.equal(200);
    });

    it('keeps the permission on error responses, so that pages can read them', async () => {
      const { status, headers } = await ask('GET', { Origin: listed }, '/failing');
      expect([status, headers['access-control-allow-origin'], headers['vary']]).to.deep.equal([500, listed, 'Origin']);
    });

    const strangers = [
      'https://evil.example.com',
      'https://app.example.com.evil.example',
      'https://app.example.com/',
      'https://app.example.com:443',
      'http://app.example.com',
      'HTTPS://APP.EXAMPLE.COM',
      'https://app.example.co',
      `${listed}, ${other}`,
      'null',
      '*',
    ];
    for (const origin of strangers) {
      it(`permits nothing to ${origin}, and varies on the origin`, async () => {
        const replies = [await ask('GET', { Origin: origin }), await preflight(origin)];
        for (const reply of replies) {
          expect([permissions(reply), reply.headers['vary']]).to.deep.equal([[], 'Origin, Accept']);
        }
      });
    }

    it('permits nothing to requests without an origin', async () => {
      const reply = await ask('GET', {});
      expect([permissions(reply), reply.headers['vary']]).to.deep.equal([[], 'Origin, Accept']);
    });
  });
});
