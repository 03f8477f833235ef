import { randomUUID } from 'node:crypto';
import { Router } from '@koa/router';
import { StorageUnavailable } from '@zonewright/core';
import Koa, { type Context, type Middleware } from 'koa';
import type { Logger } from 'pino';
import type { ApiError } from './errors/problems.ts';
import { compression } from './http/compression.ts';
import { cors } from './http/cors.ts';
import { type HandlerDependencies, handle } from './http/handler.ts';
import { respondOtherMethod } from './http/other-methods.ts';
import { respondProblem } from './http/respond.ts';
import { securityHeaders } from './http/security-headers.ts';
import { FailedCredentials } from './limits/failed-credentials.ts';
import { Leases } from './limits/leases.ts';
import { sendWithin } from './limits/payloads.ts';
import { builtInPages } from './site/built-in-pages.ts';
import { docsAssets } from './site/docs-assets.ts';
import { docsRedirect } from './site/docs-redirect.ts';
import { health } from './site/health.ts';
import { once } from './site/once.ts';
import { type StaticFile, staticServer } from './site/static-server.ts';

/** All that the app is put together from. */
export interface AppDependencies extends Omit<HandlerDependencies, 'failedCredentials' | 'leases'> {
  /** The `Link` that every answer has: where the API is described. */
  readonly documentationLink: string;
  /** What describes the API; asked for once, when the first request is for no route. */
  readonly documents: () => readonly StaticFile[];
  readonly log: Logger;
  /** Origins whose pages may use the API from browsers. */
  readonly corsOrigins: readonly string[];
  /** Measures requests, where figures are read. */
  readonly measure?: Middleware | undefined;
  /** Follows requests into what is done for them, where that is wanted. */
  readonly follow?: Middleware | undefined;
  /** Whether requests that need the database can be served now. */
  readonly isReady: () => Promise<boolean>;
}

/** The Koa app: what every request goes through, and the routes. */
export function createApp(dependencies: AppDependencies): Koa {
  const app = new Koa();
  const router = routerOf(dependencies);
  // Koa would print failures; those of requests are in the log already, those of connections are no news.
  app.silent = true;
  app.use(linkTo(dependencies.documentationLink));
  app.use(requestId);
  app.use(safeDefaults);
  // What is outside of the log and the figures answers for failures of these; the one inside gets its answers counted.
  app.use(lastResort(dependencies.log));
  app.use(originForm);
  app.use(requestLog(dependencies.log));
  if (dependencies.follow !== undefined) app.use(dependencies.follow);
  if (dependencies.measure !== undefined) app.use(dependencies.measure);
  app.use(cors(dependencies.corsOrigins));
  app.use(compression());
  app.use(lastResort(dependencies.log));
  app.use(health(dependencies.isReady));
  app.use(router.routes());
  const files = once(() => [...builtInPages, ...docsAssets, ...dependencies.documents()]);
  app.use(docsRedirect);
  app.use(staticServer(files));
  app.use(unmatched(router, (path) => files().some((file) => file.path === path)));
  return app;
}

function routerOf(given: AppDependencies): Router {
  const { routes } = given;
  const leases = new Leases(given.limiter);
  const dependencies = { ...given, leases, failedCredentials: new FailedCredentials(given) };
  // One spelling of every path, so that filters by path see what is served.
  const router = new Router({ sensitive: true, strict: true });
  for (const route of routes) {
    router.register(route.path, [route.method], async (ctx: Context) => {
      ctx.state['route'] = route.path;
      const result = await handle(ctx, route, dependencies);
      result.match(
        (rendered) => sendWithin(ctx, rendered, dependencies.payloads),
        (error) => respondProblem(ctx, error, route.problems),
      );
    });
  }
  return router;
}

/**
 * Keeps the path of a target in absolute form only (RFC 9112 section 3.2.2): the host in it may be anybody's or
 * unreadable, and nothing here depends on it.
 */
const originForm: Middleware = (ctx, next) => {
  const [, target] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*(.*)$/is.exec(ctx.url) ?? [];
  if (target !== undefined) ctx.url = target.startsWith('/') ? target : `/${target}`;
  return next();
};

/** Answers with links of their own add them to this one. */
const linkTo =
  (link: string): Middleware =>
  (ctx, next) => {
    ctx.set('Link', link);
    return next();
  };

const acceptableRequestId = /^[A-Za-z0-9._-]{1,64}$/;

const requestId: Middleware = (ctx, next) => {
  const given = ctx.get('X-Request-Id');
  const id = acceptableRequestId.test(given) ? given : randomUUID();
  ctx.state['requestId'] = id;
  ctx.set('X-Request-Id', id);
  return next();
};

/** One line a request; addresses, queries, headers and bodies never get into it, so nothing in it is searched for secrets. */
const requestLog = (log: Logger): Middleware => {
  const lines = log.child({}, { formatters: { log: (line) => line } });
  return async (ctx, next) => {
    const began = performance.now();
    await next();
    lines.info(
      {
        requestId: ctx.state['requestId'],
        traceId: ctx.state['traceId'],
        method: ctx.method,
        route: ctx.state['route'],
        status: ctx.status,
        durationMs: Math.round(performance.now() - began),
      },
      'request',
    );
  };
};

/** What every answer has unless it says otherwise. */
const safeDefaults: Middleware = (ctx, next) => {
  ctx.set(securityHeaders);
  ctx.set('Cache-Control', 'no-store');
  return next();
};

/** Turns rejections into answers: nothing of the failure reaches the client, all of it the log. */
const lastResort =
  (log: Logger): Middleware =>
  async (ctx, next) => {
    try {
      await next();
    } catch (failure) {
      const { requestId, traceId, route } = ctx.state;
      log.error({ requestId, traceId, route, err: failure }, 'request failed');
      respondProblem(ctx, problemOfFailure(failure));
    }
  };

const problemOfFailure = (failure: unknown): ApiError =>
  failure instanceof StorageUnavailable
    ? { type: 'ServiceUnavailable', retryAfterSeconds: failure.retryAfterSeconds }
    : { type: 'InternalError' };

/** What no route answers: a known path with another method or with a slash at its end, or an unknown one. */
const unmatched =
  (router: Router, isFile: (path: string) => boolean): Middleware =>
  (ctx) => {
    const methodsOf = (path: string) => router.match(path, ctx.method).path.flatMap((layer) => layer.methods);
    const methods = methodsOf(ctx.path);
    if (methods.length > 0) return respondOtherMethod(ctx, methods);
    const shorter = ctx.path.endsWith('/') ? ctx.path.slice(0, -1) : '';
    const isKnown = methodsOf(shorter).length > 0 || isFile(shorter);
    if (!isKnown || ctx.search.length > maxRepeatedQuery) return respondProblem(ctx, { type: 'NotFound' });
    ctx.status = 308;
    ctx.set('Location', `${shorter}${ctx.search}`);
  };

/** Proxies and clients take 8 KB of header fields. */
const maxRepeatedQuery = 4096;
