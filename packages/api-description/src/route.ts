import type { NeededPermissions, TokenPermission } from '@zonewright/core';
import type { z } from 'zod';
import type { CookieName } from './cookie-names.ts';
import type { Format } from './media-types.ts';
import type { ApiError, ProblemOverrides } from './problems/problems.ts';
import type { AnswerDescription, BodyDescription } from './resource-description.ts';

/** Who may call: everyone, callers with a live credential, only signed-in users, or only edges with their keys. */
export type Access = 'public' | 'protected' | 'session' | 'edge';

/**
 * What an API token needs for any request of a route; of several permissions, one, or one of each list if there are
 * several lists. Use cases check what the effect of the request needs, which may be more.
 * - `any token`: no permission.
 * - `session`: no token is enough.
 * - `public`: no credential.
 */
export type RoutePermission =
  | 'public'
  | 'session'
  | 'any token'
  | TokenPermission
  | NeededPermissions
  | readonly NeededPermissions[];

/** The permissions of which a token needs one of each list; none if it needs no permission, or is not enough. */
export function permissionsOf(permission: RoutePermission): readonly NeededPermissions[] {
  switch (permission) {
    case 'public':
    case 'session':
    case 'any token':
      return [];
    default:
      return typeof permission === 'string' ? [[permission]] : isOneList(permission) ? [permission] : permission;
  }
}

const isOneList = (needed: NeededPermissions | readonly NeededPermissions[]): needed is NeededPermissions =>
  typeof needed[0] === 'string';

/** Cookies that an operation reads or sets, apart from the access token. */
export interface CookieUse {
  readonly reads?: readonly CookieName[];
  readonly sets?: readonly CookieName[];
}

/** A route as documents describe it. */
export interface DescribedRoute {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Segments that begin with a colon are parameters. */
  readonly path: string;
  readonly access: Access;
  readonly permission: RoutePermission;
  /** One line. */
  readonly summary: string;
  /** Further documentation, in Markdown. */
  readonly description?: string;
  /** Describes each path parameter. */
  readonly params: { readonly schema?: z.ZodObject };
  readonly query: z.ZodObject;
  readonly answers: AnswerDescription;
  /** Describes the body; absent if the route reads none. */
  readonly accepts?: BodyDescription;
  readonly readsBody: 'required' | 'optional' | 'never';
  /** Media types of responses; the first is the default. */
  readonly formats: readonly Format[];
  /** Media types accepted for the body. */
  readonly consumes: readonly string[];
  /** Errors specific to this operation, beyond those that follow from the other members. */
  readonly errors: readonly ApiError['type'][];
  readonly problems: ProblemOverrides;
  /** Response header fields beyond those that follow from the other members. */
  readonly responseHeaders: readonly 'Rule-Positions'[];
  readonly cookies: CookieUse;
  /** Whether requests must be conditional (RFC 6585 section 3). */
  readonly needsPrecondition: boolean;
  /** Whether `If-Match` refers to the parent of the list. */
  readonly comparesParent: boolean;
  /** Whether a retry with the same `Idempotency-Key` gets the original response. */
  readonly isReplayable: boolean;
  /** Whether it has limits of its own besides the general per-caller limit. */
  readonly isLimited: boolean;
}
