import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** The parts of Node's `IncomingMessage` that identify the client's network. */
export interface IncomingConnection {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: IncomingHttpHeaders;
}

/** Proxies whose `X-Forwarded-For` entries are trusted. */
export type TrustedProxies = BlockList;

interface Address {
  readonly text: string;
  readonly family: 'ipv4' | 'ipv6';
}

/** Longer `X-Forwarded-For` entries are ignored: an address with zone, brackets and port is shorter than this. */
const maxHopLength = 80;

/** Builds the list from `TRUSTED_PROXIES`: addresses and CIDR networks, already validated by the configuration. */
export function trustedProxyList(networks: readonly string[]): TrustedProxies {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

/**
 * The network to which unauthenticated requests are attributed: an IPv4 address, or the /64 of an IPv6 address, because
 * one subscriber usually controls a whole /64. `X-Forwarded-For` is read from the right, only as far as trusted proxies
 * wrote it: the first untrusted hop is the client. An unreadable entry ends the walk at the hop before it. Never empty,
 * so that every request is counted.
 */
export function clientNetwork(connection: IncomingConnection, trusted: TrustedProxies): string {
  const peer = peerBehind(connection, trusted);
  return peer.isTrusted ? networkOf(clientBehind(peer.address, connection, trusted)) : peer.network;
}

/** The address itself, found like `clientNetwork`; undefined if it is unreadable. */
export function clientAddress(connection: IncomingConnection, trusted: TrustedProxies): string | undefined {
  const peer = peerBehind(connection, trusted);
  return peer.isTrusted ? clientBehind(peer.address, connection, trusted).text : peer.address?.text;
}

function peerBehind({ socket }: IncomingConnection, trusted: TrustedProxies): Peer {
  const peer = peers.get(socket) ?? peerOf(socket.remoteAddress, trusted);
  peers.set(socket, peer);
  return peer;
}

/** Walks `X-Forwarded-For` from a trusted proxy to the client. */
function clientBehind(proxy: Address, { headers }: IncomingConnection, trusted: TrustedProxies): Address {
  let client = proxy;
  const hops = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  while (isTrusted(client, trusted)) {
    const hop = hopOf(hops.pop() ?? '');
    if (hop === undefined) break;
    client = hop;
  }
  return client;
}

/** The remote end of a connection. */
type Peer =
  | { readonly isTrusted: false; readonly network: string; readonly address: Address | undefined }
  | { readonly isTrusted: true; readonly address: Address };

/** Cached per socket: the remote end of a connection never changes. */
const peers = new WeakMap<object, Peer>();

function peerOf(remoteAddress: string | undefined, trusted: TrustedProxies): Peer {
  const address = addressOf(remoteAddress ?? '');
  if (address !== undefined && isTrusted(address, trusted)) return { isTrusted: true, address };
  return { isTrusted: false, address, network: address === undefined ? 'unknown' : networkOf(address) };
}

const isTrusted = ({ text, family }: Address, trusted: TrustedProxies): boolean => trusted.check(text, family);

/** One entry of `X-Forwarded-For`; some proxies append the port. */
function hopOf(entry: string): Address | undefined {
  const hop = entry.trim();
  if (hop.length > maxHopLength) return undefined;
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/.exec(hop) ?? [];
  return addressOf(bracketed ?? plain ?? hop);
}

/** Returns undefined for anything but an address. Unwraps IPv4-mapped IPv6 addresses (RFC 4291 section 2.5.5.2). */
function addressOf(input: string): Address | undefined {
  const [text = ''] = input.split('%', 1);
  const family = isIP(text);
  if (family === 0) return undefined;
  if (family === 4) return { text, family: 'ipv4' };
  const canonical = canonicalIpv6(text);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical) ?? [];
  if (high === undefined || low === undefined) return { text: canonical, family: 'ipv6' };
  const bytes = [high, low].map((group) => Number.parseInt(group, 16)).flatMap((group) => [group >> 8, group & 255]);
  return { text: bytes.join('.'), family: 'ipv4' };
}

/** Lower case, shortest form, no dotted part, as URL hosts are serialized (WHATWG URL, "IPv6 serializer"). */
const canonicalIpv6 = (text: string): string => new URL(`http://[${text}]`).hostname.slice(1, -1);

function networkOf({ text, family }: Address): string {
  if (family === 'ipv4') return text;
  const [head = '', tail] = text.split('::');
  const groups = head === '' ? [] : head.split(':');
  const trailing = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - groups.length - trailing.length }, () => '0');
  return `${canonicalIpv6(`${[...groups, ...zeros, ...trailing].slice(0, 4).join(':')}::`)}/64`;
}

/** A provider gives a site a /48, of which each of 65,536 networks would otherwise have a budget of its own. */
export const wideNetworkTimes = 8;

/**
 * The /48 that contains the /64 of an IPv6 client (RFC 6177 section 2); undefined for an IPv4 address. Takes what
 * `clientNetwork` returns, where the groups of zeros at the end are abbreviated.
 */
export function wideNetwork(network: string): string | undefined {
  const [, address] = /^([0-9a-f:]*)::\/64$/.exec(network) ?? [];
  if (address === undefined) return undefined;
  const groups = address === '' ? [] : address.split(':');
  return `${[...groups, '0', '0', '0'].slice(0, 3).join(':')}::/48`;
}
