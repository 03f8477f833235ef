import { randomUUID } from 'node:crypto';
import { Router } from '@koa/router';
import type { ApiError } from '@zonewright/api-description';
import { type Caller, StorageUnavailable } from '@zonewright/core';
import { NewestEntries } from '@zonewright/gate';
import { builtInPages, docsAssets, lazy, type StaticFile } from '@zonewright/site';
import Koa, { type Context, type Middleware } from 'koa';
import type { Logger } from 'pino';
import { FailedCredentials } from './admission/failed-credentials.ts';
import type { ForwardedAdmission } from './admission/forwarding.ts';
import { Leases } from './admission/leases.ts';
import { TimeSlices } from './execution/time-slices.ts';
import { type HandlerDependencies, handle } from './handler.ts';
import { compression } from './http/compression.ts';
import { cors } from './http/cors.ts';
import { lowerCaseIds, redirectToSpelling } from './http/one-spelling.ts';
import { respondOtherMethod } from './http/other-methods.ts';
import { respondProblem } from './http/respond.ts';
import type { Route } from './http/route.ts';
import { securityHeaders } from './http/security-headers.ts';
import { reportOf, startReport } from './observability/request-report.ts';
import { docsRedirect } from './site/docs-redirect.ts';
import { health } from './site/health.ts';
import { respondNotFound } from './site/not-found.ts';
import { staticServer } from './site/static-server.ts';

/** Everything the app is assembled from. */
export interface AppDependencies
  extends Omit<HandlerDependencies, 'failedCredentials' | 'leases' | 'recordedRefusals' | 'refusedCallers' | 'slices'> {
  /** The `Link` field of every response: where the API is described. */
  readonly documentationLink: string;
  /** The API's documents; built on the first request that matches no route. */
  readonly documents: () => readonly StaticFile[];
  readonly log: Logger;
  /** Origins whose pages may call the API from browsers. */
  readonly corsOrigins: readonly string[];
  /** Records request metrics, if enabled. */
  readonly measure?: Middleware | undefined;
  /** Traces requests into the work done for them, if enabled. */
  readonly trace?: Middleware | undefined;
  /** Whether requests that need the database can be served now. */
  readonly isReady: () => Promise<boolean>;
}

/** Creates the Koa app: the middleware chain and the routes. */
export function createApp(dependencies: AppDependencies): Koa {
  const app = new Koa();
  const router = routerOf(dependencies);
  // Otherwise Koa would print failures: those of requests are already logged, and connection errors are routine.
  app.silent = true;
  app.use(requestId);
  app.use(commonFields(dependencies.documentationLink));
  // Covers failures of the middleware below; a second one further in lets the log and the metrics see its responses.
  app.use(lastResort(dependencies.log));
  app.use(originForm);
  app.use(requestLog(dependencies.log));
  if (dependencies.trace !== undefined) app.use(dependencies.trace);
  if (dependencies.measure !== undefined) app.use(dependencies.measure);
  app.use(cors(dependencies.corsOrigins));
  app.use(compression());
  app.use(lastResort(dependencies.log));
  app.use(health(dependencies.isReady));
  app.use(router.routes());
  const files = lazy(() => [...builtInPages, ...docsAssets, ...dependencies.documents()]);
  app.use(docsRedirect);
  app.use(staticServer(files));
  app.use(unmatched(router, files));
  return app;
}

function routerOf(app: AppDependencies): Router {
  const { answer } = routing(app);
  // One spelling per path, so that path filters in front of the service cannot be bypassed.
  const router = new Router({ sensitive: true, strict: true });
  for (const route of app.routes) {
    const layer = router.register(route.path, [route.method], async (ctx: Context) => {
      reportOf(ctx).route = route.path;
      const spelling = lowerCaseIds(ctx.path);
      if (spelling !== ctx.path) return redirectToSpelling(ctx, spelling);
      await answer(ctx, route);
    });
    if (route.changesState) layer.methods = layer.methods.filter((method) => method !== 'HEAD');
  }
  return router;
}

/** How requests are answered, once it is known by which route. */
export interface Routing {
  /** Rejects on a failure. */
  readonly answer: (ctx: Context, route: Route) => Promise<void>;
  /** On a request thread: answers an admitted request. Never rejects. */
  readonly answerTo: (
    ctx: Context,
    route: Pick<Route, 'method' | 'path'>,
    admission: ForwardedAdmission,
  ) => Promise<void>;
}

/** Everything behind the router. */
export function routing(app: Omit<AppDependencies, 'documents'>): Routing {
  const dependencies = {
    ...app,
    leases: new Leases(app.limiter),
    failedCredentials: new FailedCredentials(app),
    recordedRefusals: new NewestEntries<number>(10_000),
    refusedCallers: new NewestEntries<Caller>(10_000),
    slices: new TimeSlices(),
  };
  return {
    answer: (ctx, route) => handle(ctx, route, dependencies),
    answerTo: async (ctx, { method, path }, admission) => {
      const route = app.routes.find((each) => each.method === method && each.path === path);
      await lastResort(app.log)(ctx, () =>
        route === undefined
          ? Promise.reject(new Error(`There is no route ${method} ${path}.`))
          : handle(ctx, route, { ...dependencies, forwarded: admission }),
      );
    },
  };
}

/**
 * Reduces an absolute-form request target to its path (RFC 9112 section 3.2.2): its host may be wrong or unparsable,
 * and nothing here depends on it.
 */
const originForm: Middleware = (ctx, next) => {
  const [, target] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*(.*)$/is.exec(ctx.url) ?? [];
  if (target !== undefined) ctx.url = target.startsWith('/') ? target : `/${target}`;
  return next();
};

const acceptableRequestId = /^[A-Za-z0-9._-]{1,64}$/;

const requestId: Middleware = (ctx, next) => {
  const received = ctx.get('X-Request-Id');
  const id = acceptableRequestId.test(received) ? received : randomUUID();
  startReport(ctx, id);
  ctx.set('X-Request-Id', id);
  return next();
};

/**
 * One line per request. It never contains addresses, queries, header fields or bodies, so the search for secrets is
 * skipped.
 */
const requestLog = (log: Logger): Middleware => {
  const lines = log.child({}, { formatters: { log: (line) => line } });
  return async (ctx, next) => {
    const began = performance.now();
    await next();
    const { id: requestId, traceId, route, refusal } = reportOf(ctx);
    const { method, status } = ctx;
    const durationMs = Math.round(performance.now() - began);
    lines.info({ requestId, traceId, method, route, status, refusal, durationMs }, 'request');
  };
};

/** The header fields of every response. Responses may override them; those with links of their own append them. */
const commonFields = (link: string): Middleware => {
  const fields = Object.entries({ Link: link, ...securityHeaders, 'Cache-Control': 'no-store' });
  return ({ res }, next) => {
    for (const [name, value] of fields) res.setHeader(name, value);
    return next();
  };
};

/** Turns rejections into error responses: the log gets the full failure, the client none of it. */
const lastResort =
  (log: Logger): Middleware =>
  async (ctx, next) => {
    try {
      await next();
    } catch (failure) {
      const { id: requestId, traceId, route } = reportOf(ctx);
      log.error({ requestId, traceId, route, err: failure }, 'request failed');
      respondProblem(ctx, problemOfFailure(failure));
    }
  };

const problemOfFailure = (failure: unknown): ApiError =>
  failure instanceof StorageUnavailable
    ? { type: 'ServiceUnavailable', retryAfterSeconds: failure.retryAfterSeconds }
    : { type: 'InternalError' };

/** Handles what no route matched: unsupported methods, trailing slashes and unknown paths. */
const unmatched =
  (router: Router, files: () => readonly StaticFile[]): Middleware =>
  (ctx) => {
    const methodsOf = (path: string) => router.match(path, ctx.method).path.flatMap((layer) => layer.methods);
    const methods = methodsOf(ctx.path);
    if (methods.length > 0) return respondOtherMethod(ctx, methods);
    const shorter = ctx.path.endsWith('/') ? ctx.path.slice(0, -1) : '';
    const isKnown = methodsOf(shorter).length > 0 || files().some(({ path }) => path === shorter);
    return isKnown ? redirectToSpelling(ctx, shorter) : respondNotFound(ctx, files());
  };
