import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { formatIpAddress, type IpRange, isInRange, parseIpAddress } from '@zonewright/engine';

/** Who sent a request. */
export interface Client {
  /** Canonical text. */
  readonly address: string;
  /** Names the network that counts as one client: an IPv4 address, or a /56 of IPv6, which one subscriber usually gets. */
  readonly network: string;
  readonly scheme: 'http' | 'https';
  /** `X-Forwarded-For` as the origin gets it: what trusted proxies said, and the address of the peer. */
  readonly forwardedFor: string;
  /** Whether the peer of the connection is a trusted proxy, so that its forwarding fields count. */
  readonly isTrusted: boolean;
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

/** Finds out who sent a request: the peer of the connection, or the client that trusted proxies name. */
export class Clients {
  readonly #trusted: readonly IpRange[];
  readonly #peers = new WeakMap<Socket, Client>();

  constructor(trusted: readonly IpRange[]) {
    this.#trusted = trusted;
  }

  /**
   * The client of a request. From the right, addresses in `X-Forwarded-For` are believed as long as the one that reports
   * them is a trusted proxy. Undefined if the connection is gone.
   */
  of(socket: Socket, headers: IncomingHttpHeaders): Client | undefined {
    const peer = this.peerOf(socket);
    if (peer === undefined || !peer.isTrusted) return peer;
    const scheme = schemeIn(headers['x-forwarded-proto']) ?? peer.scheme;
    const given = textOf(headers['x-forwarded-for']);
    if (given === '') return { ...peer, scheme };
    const address = this.#believed(peer.address, given);
    return { ...peer, address, network: networkOf(address), scheme, forwardedFor: `${given}, ${peer.address}` };
  }

  /** Whether the peer of a connection may name the client in a PROXY protocol header. */
  mayTell({ remoteAddress = '' }: Socket): boolean {
    return this.#trusted.length === 0 || this.#isTrusted(canonicalAddress(remoteAddress) ?? '');
  }

  #isTrusted(text: string): boolean {
    const address = parseIpAddress(text);
    return address.ok && this.#trusted.some((range) => isInRange(address.value, range));
  }

  /** The peer of a connection. Undefined if it is gone. */
  peerOf(socket: Socket): Client | undefined {
    const before = this.#peers.get(socket);
    if (before !== undefined) return before;
    const connection = proxied.get(socket);
    const address = canonicalAddress(connection?.address ?? socket.remoteAddress ?? '');
    if (address === undefined) return undefined;
    const scheme = connection?.isTls === true || socket instanceof TLSSocket ? 'https' : 'http';
    const isTrusted = this.#isTrusted(address);
    const peer: Client = { address, network: networkOf(address), scheme, forwardedFor: address, isTrusted };
    this.#peers.set(socket, peer);
    return peer;
  }

  #believed(peer: string, forwardedFor: string): string {
    let believed = peer;
    for (const entry of forwardedFor.split(',').toReversed()) {
      if (!this.#isTrusted(believed)) return believed;
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

const bitsOfHosts = 72n;

function networkOf(text: string): string {
  const address = parseIpAddress(text);
  if (!address.ok || address.value.family === 4) return text;
  const bits = (address.value.bits >> bitsOfHosts) << bitsOfHosts;
  return `${formatIpAddress({ family: 6, bits })}/56`;
}

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
