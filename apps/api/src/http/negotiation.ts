import { type Format, type HttpError, mediaTypes } from '@zonewright/api-description';
import type { Context } from 'koa';
import { err, ok, type Result } from 'neverthrow';

/** Formats of a resource; the first is the default. */
export const formats = {
  plainOnly: [mediaTypes.json],
  plainFirst: [mediaTypes.json, mediaTypes.linked],
  linkedFirst: [mediaTypes.linked, mediaTypes.json],
} as const satisfies Record<string, readonly Format[]>;

/** The client's preferred format among those offered (RFC 9110 section 12.5.1). */
export function negotiate(ctx: Context, offered: readonly Format[]): Result<Format, HttpError> {
  const format = remembered(offered, ctx.headers.accept, () => preferred(ctx, offered));
  return format === undefined ? err({ type: 'NotAcceptable', supported: offered }) : ok(format);
}

/** Offers each format with its charset, so that `Accept` matches with and without that parameter. */
function preferred(ctx: Context, offered: readonly Format[]): Format | undefined {
  const accepted = ctx.accepts(offered.map(withCharset));
  return offered.find((each) => withCharset(each) === accepted);
}

/** Cached because most clients send one of about twenty `Accept` values. */
const maxRemembered = { texts: 100, length: 200 } as const;
const choices = new WeakMap<readonly Format[], Map<string | undefined, Format | undefined>>();

function remembered(
  offered: readonly Format[],
  accept: string | undefined,
  choose: () => Format | undefined,
): Format | undefined {
  const formats = choices.get(offered) ?? new Map<string | undefined, Format | undefined>();
  if (formats.has(accept)) return formats.get(accept);
  const chosen = choose();
  const isWorthIt = formats.size < maxRemembered.texts && (accept ?? '').length <= maxRemembered.length;
  if (isWorthIt) choices.set(offered, formats.set(accept, chosen));
  return chosen;
}

const withCharset = (format: Format): string => `${format}; charset=utf-8`;
