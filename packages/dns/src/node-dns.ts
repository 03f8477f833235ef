import { Resolver } from 'node:dns/promises';
import { type Dns, type NoTexts, noTexts } from '@zonewright/core';
import { err, ok, ResultAsync } from 'neverthrow';

/** How long one server may take, and how often each is asked: a look ends within a few seconds. */
const limits = { timeout: 2000, tries: 2 } as const;

/** Servers to ask: addresses, with a port in the form of `[::1]:5353`. Empty: those of the system. */
export interface NodeDnsOptions {
  readonly servers?: readonly string[];
}

/** DNS by the resolver of Node. Each look has a resolver of its own, so that nothing is remembered. */
export const nodeDns = ({ servers = [] }: NodeDnsOptions = {}): Dns => ({
  texts: (name) => {
    const resolver = new Resolver(limits);
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
