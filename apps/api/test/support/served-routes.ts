import { once } from 'node:events';
import {
  type AuthenticatedCaller,
  edgeKeyInvalid,
  type IdempotencyKeys,
  type PlausibleCredential,
  type RateLimiter,
  type TokenHash,
  type UseCases,
  unauthenticated,
} from '@zonewright/core';
import { MemoryUnitOfWork } from '@zonewright/memory';
import { err, errAsync, ok, okAsync } from 'neverthrow';
import { pino } from 'pino';
import { payloadBudget } from '../../src/admission/payload-budget.ts';
import { sharesOf } from '../../src/admission/shares.ts';
import { type AppDependencies, createApp } from '../../src/app.ts';
import { trustedProxyList } from '../../src/http/client-address.ts';
import { httpServer, type ServerLimits } from '../../src/http/server.ts';
import { configOf } from './config.ts';
import { freeWork, type LogLine } from './service.ts';

/** The app with custom routes, for states that the whole service does not reach. */
export async function serveRoutes(
  dependencies: Pick<AppDependencies, 'routes'> & Partial<AppDependencies>,
  limits?: ServerLimits,
): Promise<{ readonly url: string; readonly log: readonly LogLine[]; close(): Promise<void> }> {
  const log: LogLine[] = [];
  const documentation = '</api/docs.jsonld>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"';
  const app = createApp({
    documentationLink: documentation,
    documents: () => [],
    checkCredential: () => err(unauthenticated()),
    authenticateEdge: () => errAsync(edgeKeyInvalid()),
    unitOfWork: new MemoryUnitOfWork(),
    // These routes call none.
    useCasesOn: () => ({}) as UseCases,
    recordRefusal: () => okAsync(),
    concernedOrganization: () => okAsync(undefined),
    limiter: withoutLimits,
    idempotencyKeys: withoutMemory,
    payloads: payloadBudget(),
    budgets: configOf({}),
    extraPoints: freeWork,
    shares: sharesOf({ databasePool: 20 }),
    trustedProxies: trustedProxyList([]),
    trustedOrigins: new Set(),
    corsOrigins: [],
    measure: undefined,
    isReady: () => Promise.resolve(true),
    log: pino({ level: 'info' }, { write: (line) => log.push(JSON.parse(line) as LogLine) }),
    ...dependencies,
  });
  const server = httpServer(app, limits === undefined ? { documentation } : { documentation, limits });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    log,
    close: async () => {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Accepts every credential as one of the given callers. */
export const authenticatingAs = (
  callerOf: (token: string) => AuthenticatedCaller,
): Pick<AppDependencies, 'checkCredential' | 'unitOfWork'> => {
  const unitOfWork = new MemoryUnitOfWork();
  const session = (credential: PlausibleCredential) => ({
    ...unitOfWork.session(credential),
    caller: () => okAsync(callerOf(credential.kind === 'apiToken' ? credential.hash : '')),
  });
  return {
    // The token is all that these callers differ in.
    checkCredential: ({ token }) => ok({ kind: 'apiToken', hash: token as TokenHash }),
    unitOfWork: {
      run: (work) => unitOfWork.run(work),
      single: (work) => unitOfWork.single(work),
      view: (read) => unitOfWork.view(read),
      session,
    },
  };
};

/** Never replays: every request counts as the first. */
const withoutMemory: IdempotencyKeys = {
  given: () => okAsync(undefined),
  once: (_, work) => work().map((answer) => ({ answer, isReplay: false })),
};

/** Unlimited budgets. */
const take: RateLimiter['take'] = (budgets) =>
  Promise.resolve(
    budgets.map(({ name, points, seconds }) => ({
      name,
      key: name,
      limit: points,
      windowSeconds: seconds,
      remaining: points,
      resetSeconds: seconds,
      windowEndsAt: 0,
      isExceeded: false,
      isTaken: true,
      beginsLock: false,
    })),
  );
const withoutLimits: RateLimiter = {
  take,
  lease: async (budgets, points) => ({ points, milliseconds: 60_000, statuses: await take(budgets) }),
  giveBack: () => Promise.resolve(),
  clear: () => Promise.resolve(),
  removeExpired: () => Promise.resolve(),
};
