import { createHmac } from 'node:crypto';
import type { MemoryService } from './memory-service.ts';

/** The value of a part of a token. */
export const decoded = (part = ''): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
/** A part of a token with this value. */
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token with these parts, signed with the key. */
function signed(header: unknown, claims: unknown, key: string | Uint8Array): string {
  const input = `${encoded(header)}.${encoded(claims)}`;
  return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`;
}

/** The same token as if issued an hour ago, and so expired. */
export function anHourOld(token: string, { keys: { jwt } }: Pick<MemoryService, 'keys'>): string {
  const [header, payload] = token.split('.');
  const { iat, exp, ...claims } = decoded(payload) as { readonly iat: number; readonly exp: number };
  return signed(decoded(header), { ...claims, iat: iat - 3600, exp: exp - 3600 }, jwt.keys[0]?.key ?? '');
}
