import { err, ok, type Result } from 'neverthrow';
import type { ZoneId } from '../shared/ids.ts';
import type { Caller, CallerCredential } from './caller.ts';
import { type PermissionMissing, permissionMissing } from './errors.ts';

/**
 * What an API token may be allowed to do, in the order in which it is shown. A write permission includes reading the
 * same things; `admin` includes all others, and managing members.
 */
export const tokenPermissions = [
  'zones:read',
  'zones:write',
  'rules:write',
  'purges:write',
  'backends:write',
  'members:read',
  'audit:read',
  'admin',
] as const;
export type TokenPermission = (typeof tokenPermissions)[number];

/** What a new token may do unless its owner says otherwise: everything but `admin`. */
export const defaultTokenPermissions: readonly TokenPermission[] = tokenPermissions.filter((each) => each !== 'admin');

/** The permissions of which an operation needs one; the first is the one to ask for. */
export type NeededPermissions = readonly [TokenPermission, ...TokenPermission[]];

/** What reading needs: `zones:read` covers everything inside a zone, and backends. */
export const readPermissions = {
  zones: ['zones:read', 'zones:write'],
  rules: ['zones:read', 'zones:write', 'rules:write'],
  backends: ['zones:read', 'zones:write', 'backends:write'],
} as const satisfies Record<string, NeededPermissions>;

/** What a draft or an earlier revision needs: those for its settings and its rules, as far as it changes them. */
export const contentPermissions = ['zones:write', 'rules:write'] as const satisfies NeededPermissions;

/** Checks that the credential has one of the permissions. Sessions and operators have all of them. */
export function requireTokenPermission(
  credential: CallerCredential,
  needed: NeededPermissions,
): Result<void, PermissionMissing> {
  if (credential.kind !== 'apiToken') return ok();
  const { permissions } = credential;
  const isHeld = permissions.includes('admin') || needed.some((each) => permissions.includes(each));
  return isHeld ? ok() : err(permissionMissing(needed[0]));
}

/** The zones that the credential is limited to; undefined: all zones of its organizations. */
export const zonesOf = ({ credential }: Pick<Caller, 'credential'>): readonly ZoneId[] | undefined =>
  credential.kind === 'apiToken' ? credential.zones : undefined;

/** Whether the zone exists for the credential at all; the role may still forbid what is asked. */
export const reachesZone = (caller: Pick<Caller, 'credential'>, zone: ZoneId): boolean =>
  zonesOf(caller)?.includes(zone) ?? true;
