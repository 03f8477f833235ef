import type { Context } from 'koa';
import { err, ok, type Result } from 'neverthrow';
import type { HttpError } from '../errors/problems.ts';

/** The media types of answers and bodies, by what this code calls them. */
export const mediaTypes = {
  json: 'application/json',
  linked: 'application/ld+json',
  mergePatch: 'application/merge-patch+json',
  problem: 'application/problem+json',
} as const;

/** The media types that answers of the API can be negotiated to. */
export type Format = typeof mediaTypes.json | typeof mediaTypes.linked;

/** The formats of a resource; the first is the one for clients that do not care. */
export const formats = {
  plainOnly: [mediaTypes.json],
  plainFirst: [mediaTypes.json, mediaTypes.linked],
  linkedFirst: [mediaTypes.linked, mediaTypes.json],
} as const satisfies Record<string, readonly Format[]>;

/** The format the client likes best among those offered (RFC 9110 section 12.5.1). */
export function negotiate(ctx: Context, offered: readonly Format[]): Result<Format, HttpError> {
  // With its parameter, a format is acceptable to those who name it and to those who do not.
  const accepted = ctx.accepts(offered.map(withCharset));
  const format = offered.find((each) => withCharset(each) === accepted);
  return format === undefined ? err({ type: 'NotAcceptable', supported: offered }) : ok(format);
}

const withCharset = (format: Format): string => `${format}; charset=utf-8`;
