import type { ApiError } from '@zonewright/api-description';
import type { Context } from 'koa';
import { err, ok, type Result } from 'neverthrow';
import { type Arrival, hasBody, readBody } from '../http/body.ts';
import type { Route } from '../http/route.ts';

type PermissionInput = Parameters<NonNullable<Route['permitted']>>[0];

/** Requires a condition where the route does, and reads and checks the body. */
export async function permittedBody(
  ctx: Context,
  route: Route,
  permission: PermissionInput,
  arrival: Arrival,
): Promise<Result<unknown, ApiError>> {
  const body = await conditionalBody(ctx, route, permission, arrival);
  if (body.isOk()) return body;
  // Those who may not make the request at all get that answer first.
  const permitted = (await route.permitted?.(permission)) ?? ok();
  return permitted.isErr() ? err(permitted.error) : body;
}

async function conditionalBody(
  ctx: Context,
  route: Route,
  { params }: PermissionInput,
  arrival: Arrival,
): Promise<Result<unknown, ApiError>> {
  if (route.needsPrecondition && ctx.get('If-Match') === '') return err({ type: 'PreconditionRequired' });
  if (route.readsBody === 'never') return ok(undefined);
  if (route.readsBody === 'optional' && !hasBody(ctx)) return route.checkBody({}, params);
  const { bodyLimit: limit, bodyShape: shape } = route;
  const read = await readBody(ctx, { limit, shape, arrival });
  return read.isErr() ? err(read.error) : route.checkBody(read.value, params);
}
