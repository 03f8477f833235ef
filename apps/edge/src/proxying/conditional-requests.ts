import { fieldIn, type HeaderLines, without } from '../responses/header-lines.ts';

const ranges: ReadonlySet<string> = new Set(['range', 'if-range']);
const ifNoneMatch: ReadonlySet<string> = new Set(['if-none-match']);
const entityTag = /(?:W\/)?"[\x21\x23-\x7E\x80-\xFF]*"/g;

const tagsIn = (field: string): readonly string[] => field.match(entityTag) ?? [];

/** A request for the whole, of which the client asks for a part. */
export const withoutRange = (lines: HeaderLines): readonly string[] => without(lines, ranges);

/**
 * A request that also names the strong tags of which the edge has made weak ones: not all origins compare tags as
 * `If-None-Match` wants it (RFC 9110 section 8.8.3.2).
 */
export function withStrongTags(lines: HeaderLines): HeaderLines {
  const field = fieldIn(lines, 'if-none-match');
  if (field === undefined) return lines;
  const tags = tagsIn(field);
  const strong = tags.map(strongOf).filter((tag) => !tags.includes(tag));
  if (strong.length === 0) return lines;
  return [...without(lines, ifNoneMatch), 'If-None-Match', [field, ...strong].join(', ')];
}

/** Which form a client holds of what has this tag, as far as its request tells: the original, or another. */
export function heldForm(field: string | undefined, tag: string): 'original' | 'other' | 'unknown' {
  if (!tag.startsWith('"')) return 'unknown';
  const tags = tagsIn(field ?? '');
  if (tags.includes(tag)) return 'original';
  return tags.includes(`W/${tag}`) ? 'other' : 'unknown';
}

const strongOf = (tag: string): string => tag.replace(/^W\//, '');
