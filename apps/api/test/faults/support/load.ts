import type { Reply } from '../../support/client.ts';
import { until } from './until.ts';

/** Responses other than a success, a justified 4xx, or a 503 with `Retry-After`. */
export const unexpectedResponses = (replies: readonly Reply[]): readonly string[] =>
  replies
    .filter(({ status, headers }) => (status === 503 ? !Number(headers.get('retry-after')) : status > 401))
    .map(({ status, text }) => `${status} ${text}`);

/** Requests that are sent again and again. */
export interface Load {
  /** Resolves after this many further responses. */
  seen(count: number, which?: (reply: Reply) => boolean): Promise<void>;
  /** Resolves to all responses. */
  stop(): Promise<readonly Reply[]>;
}

/** Keeps one request of each kind in flight. */
export function startLoad(kinds: readonly (() => Promise<Reply>)[]): Load {
  const replies: Reply[] = [];
  const over = new AbortController();
  const repeat = async (request: () => Promise<Reply>) => {
    while (!over.signal.aborted) replies.push(await request());
  };
  const all = Promise.all(kinds.map(repeat));
  all.catch(() => undefined);
  return {
    seen: async (count, which = () => true) => {
      const before = replies.filter(which).length;
      await Promise.race([all, until(() => replies.filter(which).length >= before + count, { seconds: 60 })]);
    },
    stop: async () => {
      over.abort();
      await all;
      return replies;
    },
  };
}
