import { type LookupAddress, type LookupOptions, lookup as resolve } from 'node:dns';
import { isIP } from 'node:net';
import { checkServerIdentity as identityProblem } from 'node:tls';
import { isRefusedAddress, parseIpAddress } from '@zonewright/engine';
import { buildConnector } from 'undici';

/** Networks in which origins may lie although they are not public. */
export interface AllowedNetworks {
  hasText(address: string): boolean;
}

/** How connections to an origin server are made. */
export interface ConnectorOptions {
  readonly allowed: AllowedNetworks;
  /** Names for which the server's certificate may be: the `Host` that it gets, and its address. */
  readonly names: readonly string[];
  readonly connectSeconds: number;
  /** Certificates of authorities, in PEM; undefined: those that Node knows. */
  readonly authorities: string | undefined;
  readonly connected: () => void;
  readonly failed: () => void;
}

/** Why no connection is made. It is no part of any response. */
class RefusedAddressError extends Error {
  readonly code = 'ORIGIN_ADDRESS_REFUSED';
}

/** Whether an edge may connect to the address. */
const mayConnect = (address: string, allowed: AllowedNetworks): boolean => {
  const parsed = parseIpAddress(address);
  return parsed.ok && (!isRefusedAddress(parsed.value) || allowed.hasText(address));
};

/**
 * Connects to origin servers. A name is resolved for each connection, and only addresses that an origin may have are
 * connected to: what a name resolves to can change at any time (SSRF).
 */
export function guardedConnector(options: ConnectorOptions): buildConnector.connector {
  const { allowed, names, connectSeconds, authorities } = options;
  const connect = buildConnector({
    timeout: connectSeconds * 1000,
    allowH2: false,
    lookup: guardedLookup(allowed),
    // Node tries the next address after 250 ms.
    autoSelectFamily: true,
    ...(authorities === undefined ? {} : { ca: authorities }),
    checkServerIdentity: (_, certificate) => {
      const problems = names.map((name) => identityProblem(name, certificate));
      return problems.every((problem) => problem !== undefined) ? problems[0] : undefined;
    },
  });
  return (target, callback) => {
    const address = target.hostname.replace(/^\[|\]$/g, '');
    if (isIP(address) > 0 && !mayConnect(address, allowed)) {
      callback(new RefusedAddressError('The address is refused.'), null);
      return;
    }
    connect({ ...target, hostname: address }, (...results) => {
      if (results[0] === null) options.connected();
      else options.failed();
      callback(...results);
    });
  };
}

type Callback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

const guardedLookup =
  (allowed: AllowedNetworks) =>
  (hostname: string, options: LookupOptions, callback: Callback): void =>
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, []);
      const usable = addresses.filter(({ address }) => mayConnect(address, allowed));
      const [first] = usable;
      if (first === undefined) return callback(new RefusedAddressError('All addresses are refused.'), []);
      if (options.all === true) return callback(null, usable);
      callback(null, first.address, first.family);
    });
