import type { Context } from 'koa';
import { respondProblem } from './respond.ts';

/** Stays below the 8 KB of header fields that proxies and clients accept. */
const maxRepeatedQuery = 4096;

/** Redirects to the one spelling of a path; the query stays as it is. A long one cannot be repeated in a header field. */
export function redirectToSpelling(ctx: Context, path: string): void {
  if (ctx.search.length > maxRepeatedQuery) return respondProblem(ctx, { type: 'NotFound' });
  ctx.status = 308;
  ctx.set('Location', `${path}${ctx.search}`);
}

const uuidSegment = /(?<=\/)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\/|$)/gi;

/** The path with every UUID in lower case, which is the one spelling of ids (RFC 9562 section 4). */
export const lowerCaseIds = (path: string): string => path.replace(uuidSegment, (id) => id.toLowerCase());
