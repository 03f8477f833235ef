import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { formatIpAddress, parseIpAddress } from '@zonewright/engine';
import type { Networks } from './networks.ts';

/** Who sent a request. */
export interface Client {
  /** Canonical text. */
  readonly address: string;
  readonly scheme: 'http' | 'https';
  /** `X-Forwarded-For` as the origin gets it: what trusted proxies said, and the address of the peer. */
  readonly forwardedFor: string;
}

/** What a PROXY protocol header says about a connection. */
export interface ProxiedConnection {
  /** Undefined: the proxy speaks for itself, as for health checks. */
  readonly address: string | undefined;
  readonly isTls: boolean;
}

const proxied = new WeakMap<Socket, ProxiedConnection>();

/** Remembers what the PROXY protocol header of a connection says. */
export const rememberProxied = (socket: Socket, connection: ProxiedConnection): void =>
  void proxied.set(socket, connection);

interface Peer extends Client {
  readonly isTrusted: boolean;
}

/** Finds out who sent a request: the peer of the connection, or the client that trusted proxies name. */
export class Clients {
  readonly #trusted: Networks;
  readonly #peers = new WeakMap<Socket, Peer>();

  constructor(trusted: Networks) {
    this.#trusted = trusted;
  }

  /**
   * The client of a request. From the right, addresses in `X-Forwarded-For` are believed as long as the one that reports
   * them is a trusted proxy. Undefined if the connection is gone.
   */
  of(socket: Socket, headers: IncomingHttpHeaders): Client | undefined {
    const peer = this.#peerOf(socket);
    if (peer === undefined || !peer.isTrusted) return peer;
    const scheme = schemeIn(headers['x-forwarded-proto']) ?? peer.scheme;
    const given = textOf(headers['x-forwarded-for']);
    if (given === '') return { ...peer, scheme };
    return {
      address: this.#believed(peer.address, given),
      scheme,
      forwardedFor: `${given}, ${peer.address}`,
    };
  }

  #peerOf(socket: Socket): Peer | undefined {
    const before = this.#peers.get(socket);
    if (before !== undefined) return before;
    const connection = proxied.get(socket);
    const address = canonicalAddress(connection?.address ?? socket.remoteAddress ?? '');
    if (address === undefined) return undefined;
    const scheme = connection?.isTls === true ? 'https' : 'http';
    const peer = { address, scheme, forwardedFor: address, isTrusted: this.#trusted.hasText(address) } as const;
    this.#peers.set(socket, peer);
    return peer;
  }

  #believed(peer: string, forwardedFor: string): string {
    let believed = peer;
    for (const entry of forwardedFor.split(',').toReversed()) {
      if (!this.#trusted.hasText(believed)) return believed;
      const address = canonicalAddress(withoutPort(entry.trim()));
      if (address === undefined) return believed;
      believed = address;
    }
    return believed;
  }
}

const canonicalAddress = (text: string): string | undefined => {
  const address = parseIpAddress(text.split('%')[0] ?? '');
  return address.ok ? formatIpAddress(address.value) : undefined;
};

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
const withoutPort = (text: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^([^:]+):\d+$/, '$1');

const textOf = (value: string | readonly string[] | undefined): string =>
  typeof value === 'string' ? value : (value?.join(', ') ?? '');

/** The scheme that the nearest proxy reports. */
function schemeIn(value: string | readonly string[] | undefined): 'http' | 'https' | undefined {
  const last = textOf(value).split(',').at(-1)?.trim().toLowerCase();
  return last === 'http' || last === 'https' ? last : undefined;
}
