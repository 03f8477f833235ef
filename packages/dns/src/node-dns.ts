import { Resolver } from 'node:dns/promises';
import { type Dns, type NoTexts, noTexts } from '@zonewright/core';
import { err, ok, ResultAsync } from 'neverthrow';

/** How often each server is asked. */
const tries = 2;
/** How long one may take: a check ends within a few seconds. */
const defaultTimeout = 2000;

/** Servers to ask: addresses, with a port in the form of `[::1]:5353`. Empty: those of the system. */
export interface NodeDnsOptions {
  readonly servers?: readonly string[];
  /** How long a server may take for the first time; longer for the second. */
  readonly timeoutMilliseconds?: number;
}

/** DNS by the resolver of Node. Each check has a resolver of its own, so that nothing is remembered. */
export const nodeDns = ({ servers = [], timeoutMilliseconds: timeout = defaultTimeout }: NodeDnsOptions = {}): Dns => ({
  texts: (name) => {
    const resolver = new Resolver({ timeout, tries });
    if (servers.length > 0) resolver.setServers(servers);
    return ResultAsync.fromPromise(resolver.resolveTxt(name), (failure) => noTexts(reasonOf(failure))).andThen(
      (records) => (records.length === 0 ? err(noTexts('noRecord')) : ok(records.map((parts) => parts.join('')))),
    );
  },
});

/** The codes are those of c-ares; everything that is no answer is a failure. */
function reasonOf(failure: unknown): NoTexts['reason'] {
  const code = failure instanceof Error && 'code' in failure ? failure.code : undefined;
  if (code === 'ENODATA') return 'noRecord';
  return code === 'ENOTFOUND' ? 'noSuchName' : 'failed';
}
