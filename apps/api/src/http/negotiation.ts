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
  const format = remembered(offered, ctx.headers.accept, () => preferred(ctx, offered));
  return format === undefined ? err({ type: 'NotAcceptable', supported: offered }) : ok(format);
}

/** With its parameter, a format is acceptable to those who name it and to those who do not. */
function preferred(ctx: Context, offered: readonly Format[]): Format | undefined {
  const accepted = ctx.accepts(offered.map(withCharset));
  return offered.find((each) => withCharset(each) === accepted);
}

/** Clients are few kinds: most send one of some twenty texts. */
const maxRemembered = { texts: 100, length: 200 } as const;
const choices = new WeakMap<readonly Format[], Map<string | undefined, Format | undefined>>();

function remembered(
  offered: readonly Format[],
  accept: string | undefined,
  choose: () => Format | undefined,
): Format | undefined {
  const known = choices.get(offered) ?? new Map<string | undefined, Format | undefined>();
  if (known.has(accept)) return known.get(accept);
  const chosen = choose();
  const isWorthIt = known.size < maxRemembered.texts && (accept ?? '').length <= maxRemembered.length;
  if (isWorthIt) choices.set(offered, known.set(accept, chosen));
  return chosen;
}

const withCharset = (format: Format): string => `${format}; charset=utf-8`;
