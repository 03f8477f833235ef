import { AsyncLocalStorage } from 'node:async_hooks';
import { requestIdOf, type Tracing } from './tracing.ts';

/** Traces request ids only, for the database log. */
export function traceRequestIds(): Tracing {
  const requests = new AsyncLocalStorage<string>();
  return {
    middleware: (ctx, next) => requests.run(requestIdOf(ctx), next),
    trace: () => {
      const request = requests.getStore();
      return request === undefined ? undefined : { request, ended: () => undefined };
    },
    timed: async (_, work) => work(),
    close: () => Promise.resolve(),
  };
}
