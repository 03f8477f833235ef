import type { IncomingMessage } from 'node:http';
import { type HeaderLine, type Outcome, type Problem, parseFacts, type RequestFacts } from '@zonewright/engine';
import type { Client } from '../framing/client.ts';
import type { AddressDatabases } from './address-databases.ts';

/** Field lines in wire order, without `Host`. */
function headerLinesOf(rawHeaders: readonly string[]): readonly HeaderLine[] {
  const lines: HeaderLine[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') continue;
    lines.push({ name, value: rawHeaders[at + 1] ?? '' });
  }
  return lines;
}

const absoluteTarget = /^https?:\/\/([^/?#]*)/i;

/** The authority that decides whose request it is: of the target, if that names one (RFC 9112 section 3.2.2). */
export const authorityOf = ({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): string =>
  absoluteTarget.exec(url)?.[1] ?? headers.host ?? '';

/** The facts of a request. Without a database of countries, the country is absent. */
export function factsOf(
  { url = '', method = '', headers, rawHeaders }: IncomingMessage,
  { address, scheme }: Client,
  databases: AddressDatabases,
): Outcome<RequestFacts, readonly Problem[]> {
  const country = databases.country(address);
  const facts = parseFacts({
    scheme,
    authority: headers.host ?? '',
    target: url,
    method,
    headers: headerLinesOf(rawHeaders),
    ip: address,
    asn: databases.asn(address),
    ...(country === null ? {} : { country }),
  });
  return facts.ok && country === null ? { ok: true, value: { ...facts.value, country } } : facts;
}
