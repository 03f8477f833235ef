import { splittingWork } from '../conditions/subjects.ts';
import { managedIgnoredUrlParams } from '../settings/cache-constants.ts';
import type { PassedRequest } from './cache-decision.ts';

/** Work for each byte of path and query. */
const workForByte = 5;

/**
 * The work of a cache decision, apart from reading the request: parameters are split, compared with four names in the
 * time of a unit, and sorted; cookies are split if the key varies by them.
 */
export function cacheWork({ request, address, settings }: PassedRequest): number {
  if (address === undefined) return 0;
  const { path, query } = address;
  const ignored = settings.one('cachingIgnoredUrlParams')?.length ?? 0;
  const comparing = (ignored + managedIgnoredUrlParams.length) >> 2;
  const cookies = settings.one('cachingDynamicCacheKey')?.varyByCookie.length ?? 0;
  return (
    workForByte * (path.length + query.length) +
    splittingWork(query, '&', comparing) +
    (cookies === 0 ? 0 : splittingWork(request.headers.get('cookie') ?? '', ';'))
  );
}
