import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Attributes,
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { SentStatement, StatementServer } from '@zonewright/postgres';
import type { Context as Request } from 'koa';
import { Err } from 'neverthrow';
import type { Logger } from 'pino';
import { reportOf } from './request-report.ts';
import { requestIdOf, type Tracing } from './tracing.ts';

/** The parent of new spans. */
interface Scope {
  /** Undefined for mails: they are sent outside of a request. */
  readonly requestId: string | undefined;
  readonly context: Context;
}

/** At shutdown, an unreachable collector must not keep the process alive. */
const closeMilliseconds = 3000;

/** Exports spans by OTLP over HTTP, configured by the `OTEL_…` variables. */
function openProvider(log: Logger): BasicTracerProvider {
  setGlobalErrorHandler((failure) => log.warn({ err: failure }, 'traces could not be exported'));
  return new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'zonewright', 'process.pid': process.pid }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
}

/**
 * OpenTelemetry traces. Names and attributes follow the semantic conventions; apart from the request id they contain no
 * client input: no paths, queries or values.
 */
export function openTraces(log: Logger): Tracing {
  const provider = openProvider(log);
  const tracer = provider.getTracer('zonewright');
  const propagator = new W3CTraceContextPropagator();
  return {
    middleware: (ctx, next) => {
      if (ctx.path === '/healthz' || ctx.path === '/readyz') return next();
      const parent = propagator.extract(ROOT_CONTEXT, ctx.req.headers, defaultTextMapGetter);
      const span = tracer.startSpan(ctx.method, { kind: SpanKind.SERVER }, parent);
      reportOf(ctx).traceId = span.spanContext().traceId;
      return inside(span, requestIdOf(ctx), async () => {
        await next();
        describeRequest(span, ctx);
      });
    },
    trace: (statement, server) => {
      const { requestId, context } = scopes.getStore() ?? {};
      if (requestId === undefined) return undefined;
      const options = { kind: SpanKind.CLIENT, attributes: attributesOf(server) };
      const span = tracer.startSpan(nameOf(statement), options, context);
      return { request: requestId, ended: (failure) => endStatement(span, failure) };
    },
    timed: (what, work) => {
      const { requestId, context } = scopes.getStore() ?? {};
      return inside(tracer.startSpan(what, {}, context ?? ROOT_CONTEXT), requestId, work);
    },
    close: () => Promise.race([provider.shutdown(), pause(closeMilliseconds, undefined, { ref: false })]),
  };
}

const scopes = new AsyncLocalStorage<Scope>();

/** Runs work inside a span and ends the span with it. */
async function inside<T>(span: Span, requestId: string | undefined, work: () => PromiseLike<T>): Promise<T> {
  try {
    const outcome = await scopes.run({ requestId, context: trace.setSpan(ROOT_CONTEXT, span) }, work);
    if (outcome instanceof Err) markFailed(span, typeOf(outcome.error));
    return outcome;
  } catch (failure) {
    markFailed(span, typeOf(failure));
    throw failure;
  } finally {
    span.end();
  }
}

/** Semantic conventions for HTTP spans 1.23, "HTTP server". */
function describeRequest(span: Span, ctx: Request): void {
  const { method, status } = ctx;
  const { route } = reportOf(ctx);
  span.updateName(typeof route === 'string' ? `${method} ${route}` : method);
  const attributes: Attributes = {
    'http.request.method': method,
    'http.response.status_code': status,
    'url.scheme': ctx.protocol,
    'zonewright.request_id': requestIdOf(ctx),
    ...(typeof route === 'string' ? { 'http.route': route } : {}),
  };
  span.setAttributes(attributes);
  if (status >= 500) markFailed(span, String(status));
}

/** Semantic conventions for database client spans 1.33. Unix sockets have no port. */
const attributesOf = ({ database, address, port }: StatementServer): Attributes => ({
  'db.system.name': 'postgresql',
  'db.namespace': database,
  'server.address': address,
  ...(address.startsWith('/') ? {} : { 'server.port': port }),
});

/** The file name of the statement, or its first keyword. */
const nameOf = ({ name, text }: SentStatement): string => name ?? (text.split(' ', 1)[0] || 'none');

function endStatement(span: Span, failure: Error | undefined): void {
  if (failure !== undefined && failure !== null) {
    const type = typeOf(failure);
    span.setAttribute('db.response.status_code', type);
    markFailed(span, type);
  }
  span.end();
}

/** Only names chosen by us or by libraries: messages may contain user input. */
function typeOf(failure: unknown): string {
  if (typeof failure !== 'object' || failure === null) return typeof failure;
  if ('code' in failure && typeof failure.code === 'string') return failure.code;
  if ('type' in failure && typeof failure.type === 'string') return failure.type;
  return failure.constructor.name;
}

function markFailed(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
