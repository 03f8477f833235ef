import { type Format, type HttpError, mediaTypes } from '@zonewright/api-description';
import type { Context } from 'koa';
import Negotiator from 'negotiator';
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

/** Parameters of media types are ignored: no format has several forms, and clients name profiles of JSON-LD. */
function preferred(ctx: Context, offered: readonly Format[]): Format | undefined {
  const accept = withoutParameters(ctx.headers.accept);
  const [format] = new Negotiator({ headers: { accept } }).mediaTypes([...offered]);
  return offered.find((each) => each === format);
}

/** All but weights. A quoted value may contain separators (RFC 9110 section 5.6.6). */
const parameter = /;[ \t]*([^\s=;,"]+)=("(?:[^"\\]|\\.)*"|[^\s;,"]*)/g;
const withoutParameters = (accept: string | undefined): string | undefined =>
  accept?.replace(parameter, (written, name: string) => (name.toLowerCase() === 'q' ? written : ''));

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
