import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

/** How often each name server is asked. */
const tries = 2;
/** Short enough that a connection is still made when a server is silent about one of the families. */
const defaultTimeout = 1000;

/** Where names are looked up. */
export interface NameOptions {
  /** Addresses and ports of name servers; undefined: those of the system. */
  readonly servers?: readonly string[];
  readonly hostsFile?: string;
  /** How long a server may take for the first time; longer for the second. */
  readonly timeoutMilliseconds?: number;
}

/** The addresses of a name, IPv4 first. Rejects if there are none. */
export type Addresses = (name: string) => Promise<readonly LookupAddress[]>;

/**
 * Looks names up in the hosts file, and by DNS. The lookup of the system would keep one of the few threads of Node until it has an
 * answer, so that names of one zone whose servers are silent would delay the origins of all others.
 */
export const nameLookup =
  ({ servers, hostsFile = '/etc/hosts', timeoutMilliseconds: timeout = defaultTimeout }: NameOptions = {}): Addresses =>
  async (name) => {
    const written = addressesIn(await readFile(hostsFile, 'utf8').catch(() => ''), name.toLowerCase());
    if (written.length > 0) return written;
    // Its own: nothing is remembered, and changes of the system's name servers are noticed.
    const resolver = new Resolver({ timeout, tries });
    if (servers !== undefined) resolver.setServers(servers);
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [...addressesOf(four, 4), ...addressesOf(six, 6)];
    if (found.length === 0 && four.status === 'rejected') throw four.reason;
    return found;
  };

const addressesOf = (answer: PromiseSettledResult<readonly string[]>, family: 4 | 6): readonly LookupAddress[] =>
  answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];

/** The addresses of a name in a hosts file: lines of an address and its names. */
const addressesIn = (text: string, name: string): readonly LookupAddress[] =>
  text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    const family = isIP(address);
    return family > 0 && names.includes(name) ? [{ address, family }] : [];
  });
