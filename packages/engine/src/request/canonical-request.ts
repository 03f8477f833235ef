import { failure, type Outcome, success } from '../outcome.ts';
import { hostOfAuthority } from './authority.ts';
import { isToken, trimmed } from './bytes.ts';
import type { RequestFacts, Scheme } from './facts.ts';
import { type HeaderFields, headerFields } from './header-fields.ts';
import { isAmbiguousPath, normalizePath, normalizeQuery, type PathNormalization } from './request-target.ts';

/** The form of a request target (RFC 9112 section 3.2). */
export type TargetForm = 'origin' | 'absolute' | 'asterisk';

/** A request as rules see it. */
export interface CanonicalRequest {
  readonly facts: RequestFacts;
  readonly method: string;
  readonly scheme: Scheme;
  /** Lower case, without port and final dot. */
  readonly host: string;
  /** Normalized; `*` for the asterisk-form. */
  readonly path: string;
  /** Without `?`; "" if absent. */
  readonly query: string;
  readonly form: TargetForm;
  readonly headers: HeaderFields;
}

/** Why a strict proxy rejects a request, and its response status. */
export interface Rejection {
  readonly reason: RejectionReason;
  readonly status: 400 | 414 | 431;
}

/** Stable codes of rejection reasons. */
export type RejectionReason =
  | 'method'
  | 'target.character'
  | 'target.length'
  | 'target.form'
  | 'target.scheme'
  | 'authority'
  | 'header.name'
  | 'header.value'
  | 'header.size'
  | 'target.ambiguous';

const limits = { method: 32, target: 8192, headerLines: 100, headerBytes: 32_768 } as const;
const visibleWithoutHash = /^[!"$-~]*$/;
const absoluteForm = /^(https?):\/\/([^/?]*)(.*)$/i;
/** Control characters except tab. */
const control = /[^\P{Cc}\t\x80-\x9f]/u;

/** The canonical request, or the first reason to reject it. */
export function canonicalRequest(
  facts: RequestFacts,
  normalization: PathNormalization,
): Outcome<CanonicalRequest, Rejection> {
  const { method, target } = facts;
  if (method.length > limits.method || !isToken(method)) return rejected('method');
  if (!visibleWithoutHash.test(target)) return rejected('target.character');
  if (target.length > limits.target) return rejected('target.length', 414);
  const aimed = aim(facts);
  if (!aimed.ok) return aimed;
  const { form, authority, rest } = aimed.value;
  const host = hostOfAuthority(authority);
  if (host === undefined) return rejected('authority');
  const header = headerRejection(facts);
  if (header !== undefined) return failure(header);
  const address = form === 'asterisk' ? success({ path: '*', query: '' }) : addressIn(rest, normalization);
  if (!address.ok) return address;
  const { path, query } = address.value;
  const headers = headerFields(facts.headers);
  return success({ facts, method, scheme: facts.scheme, host, path, query, form, headers });
}

function addressIn(
  written: string,
  normalization: PathNormalization,
): Outcome<Pick<CanonicalRequest, 'path' | 'query'>, Rejection> {
  const cut = written.indexOf('?');
  const path = normalizePath(cut < 0 ? written : written.slice(0, cut), normalization);
  if (normalization === 'strict' && isAmbiguousPath(path)) return rejected('target.ambiguous');
  return success({ path, query: cut < 0 ? '' : normalizeQuery(written.slice(cut + 1)) });
}

interface Aim {
  readonly form: TargetForm;
  readonly authority: string;
  /** Path and query as written. */
  readonly rest: string;
}

function aim({ method, target, scheme, authority }: RequestFacts): Outcome<Aim, Rejection> {
  if (method === 'CONNECT') return rejected('target.form');
  if (target === '*') {
    return method === 'OPTIONS' ? success({ form: 'asterisk', authority, rest: target }) : rejected('target.form');
  }
  return target.startsWith('/') ? success({ form: 'origin', authority, rest: target }) : aimAtAbsolute(target, scheme);
}

function aimAtAbsolute(target: string, scheme: RequestFacts['scheme']): Outcome<Aim, Rejection> {
  const [, written, named = '', rest = ''] = absoluteForm.exec(target) ?? [];
  if (written === undefined) return rejected('target.form');
  if (written.toLowerCase() !== scheme) return rejected('target.scheme');
  return success({ form: 'absolute', authority: named, rest: rest.startsWith('/') ? rest : `/${rest}` });
}

function headerRejection({ headers }: RequestFacts): Rejection | undefined {
  let bytes = 0;
  let hasControl = false;
  for (const { name, value } of headers) {
    if (!isToken(name)) return { reason: 'header.name', status: 400 };
    const content = trimmed(value);
    hasControl ||= control.test(content);
    bytes += name.length + content.length;
  }
  if (hasControl) return { reason: 'header.value', status: 400 };
  const isTooLarge = headers.length > limits.headerLines || bytes > limits.headerBytes;
  return isTooLarge ? { reason: 'header.size', status: 431 } : undefined;
}

const rejected = (reason: RejectionReason, status: Rejection['status'] = 400): Outcome<never, Rejection> =>
  failure({ reason, status });

/** Whether the header of this lower-case name is unknown. */
export const isHeaderUnknown = ({ facts, headers }: CanonicalRequest, name: string): boolean =>
  !headers.has(name) && (facts.headersUnknown || (facts.cookiesUnknown && name === 'cookie'));
