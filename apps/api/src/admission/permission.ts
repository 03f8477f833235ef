import { type ApiError, permissionsOf } from '@zonewright/api-description';
import { type Caller, isSessionCaller, requireTokenPermission, sessionRequired } from '@zonewright/core';
import { err, ok, type Result } from 'neverthrow';
import type { Exchange } from '../http/exchange.ts';
import { isSafe } from '../http/origin.ts';
import type { Route } from '../http/route.ts';

/** Checks what the credential allows before anything else, so that a refusal tells nothing about resources. */
export function requirePermission(
  { ctx, caller }: Exchange,
  { access, permission }: Pick<Route, 'access' | 'permission'>,
): Result<void, ApiError> {
  if (caller === undefined) return ok();
  const needed = permissionsOf(permission);
  return requireWritable(ctx, caller)
    .andThen((): Result<void, ApiError> => (needed ? requireTokenPermission(caller.credential, needed) : ok()))
    .andThen(() => (access === 'session' && !isSessionCaller(caller) ? err(sessionRequired()) : ok()));
}

/** A read-only token cannot write, whatever the route. */
export const requireWritable = ({ method }: Exchange['ctx'], { credential }: Caller): Result<void, ApiError> =>
  credential.kind === 'apiToken' && credential.readOnly && !isSafe(method) ? err({ type: 'ReadOnlyToken' }) : ok();
