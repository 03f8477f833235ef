import { AsyncLocalStorage } from 'node:async_hooks';
import { type Following, requestIdOf } from './following.ts';

/** Traces request ids only, for the database log. */
export function followRequestIds(): Following {
  const requests = new AsyncLocalStorage<string>();
  return {
    middleware: (ctx, next) => requests.run(requestIdOf(ctx), next),
    follow: () => {
      const request = requests.getStore();
      return request === undefined ? undefined : { request, ended: () => undefined };
    },
    timed: async (_, work) => work(),
    close: () => Promise.resolve(),
  };
}
