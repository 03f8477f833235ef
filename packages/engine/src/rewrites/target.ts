import { utf8 } from '../request/bytes.ts';
import { normalizePath, normalizeQuery } from '../request/request-target.ts';

/** A text with references: literal texts, and numbers of groups. */
export type Template = readonly (string | number)[];

/** The target of a rewrite rule, cut into its parts. */
export interface Target {
  /** `scheme://authority` as written; "" when the target is a path. */
  readonly origin: string;
  readonly path: Template;
  /** Without `?`; "" when there is none. */
  readonly query: Template;
  /** With `#`; empty when there is none. */
  readonly fragment: Template;
  /** The highest group that is referred to. */
  readonly groups: number;
}

/** Where a request goes: a new path and query, or an address to send the client to. */
export interface Address {
  readonly path: string;
  readonly query: string;
}

const origin = /^https?:\/\/[^/?#]*/;
const reference = /\$([$1-9])/;

/** Cuts a target at its first `#`, what is before it at its first `?`, and takes the origin off the front. */
export function parseTarget(written: string): Target {
  const target = utf8(written);
  const hash = target.indexOf('#');
  const withoutFragment = hash < 0 ? target : target.slice(0, hash);
  const mark = withoutFragment.indexOf('?');
  const address = mark < 0 ? withoutFragment : withoutFragment.slice(0, mark);
  const [base = ''] = origin.exec(address) ?? [];
  const parts = {
    path: templateOf(address.slice(base.length)),
    query: templateOf(mark < 0 ? '' : withoutFragment.slice(mark + 1)),
    fragment: templateOf(hash < 0 ? '' : target.slice(hash)),
  };
  const groups = Object.values(parts)
    .flat()
    .map((part) => (typeof part === 'number' ? part : 0));
  return { origin: base, ...parts, groups: Math.max(0, ...groups) };
}

/** `$$` is a dollar sign, `$1` to `$9` a group. */
function templateOf(text: string): Template {
  // Of the pieces, every second one is what a reference was followed by.
  return text.split(reference).flatMap((piece, index) => {
    if (index % 2 === 0) return piece === '' ? [] : [piece];
    return [piece === '$' ? piece : Number(piece)];
  });
}

const filled = (template: Template, groups: readonly string[], encode = (text: string) => text): string =>
  template.map((part) => (typeof part === 'number' ? encode(groups[part - 1] ?? '') : part)).join('');

const asParameter = (text: string): string => text.replaceAll('&', '%26').replaceAll('+', '%2B');

/** What a rule takes over of the request. */
export interface Taken {
  /** Texts of groups 1, 2, …. */
  readonly groups: readonly string[];
  /** What of the path comes after the source and is appended. */
  readonly rest: string;
  /** Query of the request that is kept; "" for none. */
  readonly query: string;
}

/** The new path and query. A path never begins with two slashes, so it stays on its host. */
export function addressAt({ path, query }: Target, taken: Taken): Address {
  const written = filled(path, taken.groups);
  const whole = (written === '' ? '/' : written) + taken.rest;
  const own = normalizeQuery(filled(query, taken.groups, asParameter));
  return {
    path: normalizePath(whole.replaceAll('\\', '%5C')).replace(/^\/+/, '/'),
    query: [own, taken.query].filter((part) => part !== '').join('&'),
  };
}

/** The field Location of a redirect. */
export function locationAt(target: Target, taken: Taken): string {
  const { path, query } = addressAt(target, taken);
  return `${target.origin}${path}${query === '' ? '' : `?${query}`}${filled(target.fragment, taken.groups)}`;
}
