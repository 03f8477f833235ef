import { parseIpAddress } from '@zonewright/engine';
import type { ProxiedConnection } from './client.ts';

/**
 * The PROXY protocol, versions 1 and 2 (https://www.haproxy.org/download/2.9/doc/proxy-protocol.txt). Written here
 * because no published parser is maintained.
 */

/** A complete header, and its length in bytes. */
interface ProxyHeader {
  readonly connection: ProxiedConnection;
  readonly bytes: number;
}

const signature = Buffer.from([0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a]);
const maxVersion1Bytes = 107;
const fixedVersion2Bytes = 16;
/** What follows the fixed part: addresses and a few extensions. */
const maxVersion2Rest = 4096;

/** The header that the bytes begin with; `incomplete` if more are needed, `invalid` if they cannot become one. */
export function proxyHeaderIn(bytes: Buffer): ProxyHeader | 'incomplete' | 'invalid' {
  const compared = Math.min(bytes.length, signature.length);
  if (bytes.subarray(0, compared).equals(signature.subarray(0, compared))) {
    return bytes.length < fixedVersion2Bytes ? 'incomplete' : version2(bytes);
  }
  return 'PROXY '.startsWith(bytes.toString('latin1', 0, 6)) ? version1(bytes) : 'invalid';
}

const version1Line = /^PROXY (?:UNKNOWN(?: .*)?|TCP[46] (\S+) \S+ \d{1,5} \d{1,5})$/;

function version1(bytes: Buffer): ProxyHeader | 'incomplete' | 'invalid' {
  const end = bytes.subarray(0, maxVersion1Bytes).indexOf('\r\n');
  if (end < 0) return bytes.length < maxVersion1Bytes ? 'incomplete' : 'invalid';
  const line = version1Line.exec(bytes.toString('latin1', 0, end));
  const [, address] = line ?? [];
  if (line === null || (address !== undefined && !parseIpAddress(address).ok)) return 'invalid';
  return { connection: { address, isTls: false }, bytes: end + 2 };
}

const commands: Readonly<Record<number, 'local' | 'proxy'>> = { 0x20: 'local', 0x21: 'proxy' };
/** Address family in the upper four bits, transport in the lower ones; bytes of both addresses and ports. */
const addressBytes: Readonly<Record<number, { readonly address: number; readonly all: number }>> = {
  0x11: { address: 4, all: 12 },
  0x21: { address: 16, all: 36 },
};

function version2(bytes: Buffer): ProxyHeader | 'incomplete' | 'invalid' {
  const command = commands[bytes.readUInt8(12)];
  const rest = bytes.readUInt16BE(14);
  if (command === undefined || rest > maxVersion2Rest) return 'invalid';
  const end = fixedVersion2Bytes + rest;
  if (bytes.length < end) return 'incomplete';
  const sizes = addressBytes[bytes.readUInt8(13)];
  if (command === 'local' || sizes === undefined)
    return { connection: { address: undefined, isTls: false }, bytes: end };
  if (rest < sizes.all) return 'invalid';
  const address = addressText(bytes.subarray(fixedVersion2Bytes, fixedVersion2Bytes + sizes.address));
  const isTls = hasTls(bytes.subarray(fixedVersion2Bytes + sizes.all, end));
  return { connection: { address, isTls }, bytes: end };
}

function addressText(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.');
  return Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(2 * index).toString(16)).join(':');
}

const extensionHead = 3;
const sslExtension = 0x20;
const clientUsedTls = 0x01;

/** Whether the extensions say that the client connected by TLS (section 2.2.6). */
function hasTls(extensions: Buffer): boolean {
  let at = 0;
  while (at + extensionHead < extensions.length) {
    const type = extensions.readUInt8(at);
    if (type === sslExtension) return (extensions.readUInt8(at + extensionHead) & clientUsedTls) !== 0;
    at += extensionHead + extensions.readUInt16BE(at + 1);
  }
  return false;
}
