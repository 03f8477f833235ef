import type { LookupAddress, LookupOptions } from 'node:dns';
import { isIP } from 'node:net';
import { checkServerIdentity as identityProblem } from 'node:tls';
import { callbackify } from 'node:util';
import { type IpRange, isDocumentationAddress, isRefusedAddress, parseIpAddress } from '@zonewright/engine';
import { buildConnector } from 'undici';
import { nameLookup } from './names.ts';
import type { OwnListeners } from './own-listeners.ts';

/** How connections to an origin server are made. */
export interface ConnectorOptions {
  /** Networks in which origins may lie although they are not public. */
  readonly allowed: readonly IpRange[];
  /** Where this process itself listens. */
  readonly own: OwnListeners;
  readonly port: number;
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

type Destinations = Pick<ConnectorOptions, 'allowed' | 'own'>;

/** Whether an edge may connect to the address. No packets are routed to those of documentation, which the service accepts. */
const mayConnect = (address: string, port: number, { allowed, own }: Destinations): boolean => {
  const parsed = parseIpAddress(address);
  if (!parsed.ok || own.has(address, port)) return false;
  return !isRefusedAddress(parsed.value, allowed) && !isDocumentationAddress(parsed.value, allowed);
};

/**
 * Connects to origin servers. A name is resolved for each connection, and only addresses that an origin may have are
 * connected to: what a name resolves to can change at any time (SSRF).
 */
export function guardedConnector(options: ConnectorOptions): buildConnector.connector {
  const { names, port, connectSeconds, authorities } = options;
  const connect = buildConnector({
    timeout: connectSeconds * 1000,
    allowH2: false,
    lookup: guardedLookup(options),
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
    if (isIP(address) > 0 && !mayConnect(address, port, options)) {
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

/** Looks names up as Node's connections expect it. */
function guardedLookup(options: ConnectorOptions) {
  const look = callbackify((name: string) => usableAddressesOf(name, options));
  return (name: string, { all }: LookupOptions, callback: Callback): void =>
    look(name, (error: Error | null, usable) => {
      const [first] = usable ?? [];
      if (error !== null || first === undefined) callback(error ?? new RefusedAddressError(name), []);
      else if (all === true) callback(null, [...usable]);
      else callback(null, first.address, first.family);
    });
}

const addressesOf = nameLookup();

async function usableAddressesOf(name: string, options: ConnectorOptions): Promise<readonly LookupAddress[]> {
  const usable = (await addressesOf(name)).filter(({ address }) => mayConnect(address, options.port, options));
  if (usable.length === 0) throw new RefusedAddressError('All addresses are refused.');
  return usable;
}
