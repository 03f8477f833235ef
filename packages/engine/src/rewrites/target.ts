import { utf8 } from '../request/bytes.ts';
import { normalizePath, normalizeQuery, type PathNormalization } from '../request/request-target.ts';
import { withOwnHost } from './own-host.ts';
import type { SourceMatch } from './source.ts';

/** Literal texts and numbers of referenced groups. */
export type Template = readonly (string | number)[];

/** The new path and query of a request. */
export interface Address {
  readonly path: string;
  readonly query: string;
}

const origin = /^https?:\/\/[^/?#]*/;
const reference = /\$([$1-9])/;

/**
 * Splits off the origin (`scheme://authority` as written, so maybe with `$host`; "" if the target is a path), then at the first `#`, then at the
 * first `?` before it. `groups` is the highest referenced group.
 */
export function parseTarget(written: string) {
  const target = utf8(written);
  const hash = target.indexOf('#');
  const withoutFragment = hash < 0 ? target : target.slice(0, hash);
  const mark = withoutFragment.indexOf('?');
  const address = mark < 0 ? withoutFragment : withoutFragment.slice(0, mark);
  const [base = ''] = origin.exec(address) ?? [];
  const parts = {
    path: templateOf(address.slice(base.length)),
    /** Without `?`. */
    query: templateOf(mark < 0 ? '' : withoutFragment.slice(mark + 1)),
    /** With `#`. */
    fragment: templateOf(hash < 0 ? '' : target.slice(hash)),
  };
  const groups = Object.values(parts)
    .flat()
    .map((part) => (typeof part === 'number' ? part : 0));
  return { origin: base, ...parts, groups: Math.max(0, ...groups) };
}

/** The parsed target of a rewrite rule. */
export type Target = ReturnType<typeof parseTarget>;

/** `$$` is a dollar sign, `$1` to `$9` a group. */
function templateOf(text: string): Template {
  // Every second piece is the character after a `$`.
  return text.split(reference).flatMap((piece, index) => {
    if (index % 2 === 0) return piece === '' ? [] : [piece];
    return [piece === '$' ? piece : Number(piece)];
  });
}

const filled = (template: Template, groups: readonly string[], encode = (text: string) => text): string =>
  template.map((part) => (typeof part === 'number' ? encode(groups[part - 1] ?? '') : part)).join('');

const asParameter = (text: string): string => text.replaceAll('&', '%26').replaceAll('+', '%2B');

/** The parts of a request that go into the result. */
export interface RewriteInput extends SourceMatch {
  /** The request's query if it is kept; else "". */
  readonly query: string;
}

/** Work for each byte of a result, which is normalized one by one. */
const workForByte = 10;

/** The work of making a result; the request's own query is only appended. */
export const resultWork = ({ path, query, fragment }: Target, { groups, rest, query: kept }: RewriteInput): number =>
  workForByte * (rest.length + [path, query, fragment].reduce((sum, each) => sum + lengthOf(each, groups), 0)) +
  kept.length;

const lengthOf = (template: Template, groups: readonly string[]): number =>
  template.reduce<number>(
    (sum, part) => sum + 1 + (typeof part === 'number' ? (groups[part - 1] ?? '') : part).length,
    0,
  );

/** The path that a rewrite results in. It never starts with two slashes, so it stays on its host. */
export const rewrittenPath = (written: string, normalization: PathNormalization): string =>
  normalizePath(written.replaceAll('\\', '%5C'), normalization).replace(/^\/+/, '/');

/** The new path and query. */
export function addressAt({ path, query }: Target, taken: RewriteInput, normalization: PathNormalization): Address {
  const written = filled(path, taken.groups);
  const whole = (written === '' ? '/' : written) + taken.rest;
  const own = normalizeQuery(filled(query, taken.groups, asParameter));
  return {
    path: rewrittenPath(whole, normalization),
    query: [own, taken.query].filter((part) => part !== '').join('&'),
  };
}

/** The `Location` of a redirect, for a request to this host. */
export function locationAt(
  target: Target,
  taken: RewriteInput & { readonly host: string },
  normalization: PathNormalization,
): string {
  const { path, query } = addressAt(target, taken, normalization);
  return `${withOwnHost(target.origin, taken.host)}${path}${query === '' ? '' : `?${query}`}${filled(target.fragment, taken.groups)}`;
}
