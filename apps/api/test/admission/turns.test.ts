import { object } from '@zonewright/api-description';
import { type AuthenticatedCaller, SessionId, UserId } from '@zonewright/core';
import { expect } from 'chai';
import { okAsync, ResultAsync } from 'neverthrow';
import { z } from 'zod';
import { Share, sharesOf } from '../../src/admission/shares.ts';
import { protectedRoute } from '../../src/http/route.ts';
import { until } from '../faults/support/until.ts';
import { clientOf, expectProblem } from '../support/client.ts';
import { authenticatingAs, serveRoutes } from '../support/served-routes.ts';

const userOf = (token: string) => UserId.parse(`01900000-0000-7000-8000-${token.slice(0, 1).padStart(12, '0')}`);
const callerOf = (token: string): AuthenticatedCaller => ({
  userId: userOf(token),
  credential: {
    kind: 'session',
    id: SessionId.parse(userOf(token)),
    provider: undefined,
    confirmed: true,
    confirmableBy: ['password'],
  },
  memberships: new Map(),
});

describe('Requests of one user', () => {
  /** Work that the test ends, in the order in which it began. */
  const running: (() => void)[] = [];
  const slowly = () =>
    ResultAsync.fromSafePromise<void>(
      new Promise((resolve) => {
        running.push(resolve);
      }),
    );
  const row = {
    cost: 'constant',
    permission: 'any token',
    summary: 'Answer.',
    answers: object('Nothing', z.object({})),
    present: () => ({ body: {} }),
  } as const;
  const routes = [
    protectedRoute({ ...row, method: 'get', path: '/api/slow', run: slowly }),
    protectedRoute({ ...row, method: 'get', path: '/api/quick', run: () => okAsync() }),
  ];
  let served: Awaited<ReturnType<typeof serveRoutes>>;
  before(async () => {
    const patient = { queueLimit: 30, waitSeconds: 60 };
    const shares = {
      ...sharesOf({ databasePool: 20 }),
      users: new Share({ concurrency: 4, ...patient }),
    };
    served = await serveRoutes({ routes, shares, ...authenticatingAs(callerOf) });
  });
  after(() => served.close());

  const get = (token: string, path: string) => clientOf(served.url, { 'x-api-token': token }).get(path);

  it('occupy a fifth of the database pool, whatever their credentials; those of others are served at once', async () => {
    const slow = Array.from({ length: 24 }, (_, index) => get(`1${index}`, '/api/slow'));
    await until(() => running.length >= 4);
    expect((await get('2', '/api/quick')).status).to.equal(200);
    const own = get('1', '/api/quick');
    expect(running).to.have.length(4);
    for (let ended = 0; ended < 24; ended += 1) {
      await until(() => running.length > ended);
      expect(running.length - ended).to.be.at.most(4);
      running[ended]?.();
    }
    expect((await Promise.all([...slow, own])).map(({ status }) => status)).to.deep.equal(Array(25).fill(200));
    running.length = 0;
  });

  it('get 503 with Retry-After if too many of them wait already', async () => {
    const slow = Array.from({ length: 34 }, (_, index) => get(`1${index}`, '/api/slow'));
    const refused = await Promise.any([...slow, get('1', '/api/slow')]);
    expectProblem(refused, 503, 'service-unavailable');
    expect(refused.headers.get('retry-after')).to.equal('1');
    expect((await get('2', '/api/quick')).status).to.equal(200);
    for (let ended = 0; ended < 34; ended += 1) {
      await until(() => running.length > ended);
      running[ended]?.();
    }
    await Promise.all(slow);
  });
});

describe('sharesOf', () => {
  it('admits a fifth of the pool for a user and half for a network without a caller, at least one each', async () => {
    for (const [databasePool, user, network] of [
      [20, 4, 10],
      [5, 1, 2],
      [2, 1, 1],
    ] as const) {
      const shares = sharesOf({ databasePool });
      expect([await admitted(shares.users), await admitted(shares.networks)]).to.deep.equal([user, network]);
    }
  });
});

/** How much work of one owner runs at once. */
async function admitted(share: Share): Promise<number> {
  const ends: (() => void)[] = [];
  const all = Array.from({ length: 30 }, () =>
    share.run('ada', () => ResultAsync.fromSafePromise(new Promise<void>((resolve) => ends.push(resolve)))),
  );
  await share.run('bob', () => okAsync());
  const { length } = ends;
  for (let ended = 0; ended < all.length; ended += 1) {
    await until(() => ends.length > ended);
    ends[ended]?.();
  }
  await Promise.all(all);
  return length;
}
