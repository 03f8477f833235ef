import {
  ApiTokenId,
  BackendId,
  BasicAuthUserId,
  InvitationId,
  OrganizationId,
  parse,
  RevisionNumber,
  RuleId,
  SessionId,
  UserId,
  ZoneId,
} from '@zonewright/core';
import type { Result } from 'neverthrow';
import { z } from 'zod';
import type { HttpError } from '../http/problem.ts';

type Raw = Readonly<Record<string, string>>;

/** Ids of path segments. A segment that cannot be an id names nothing. */
const segments =
  <S extends z.ZodRawShape>(shape: S) =>
  (raw: Raw): Result<z.output<z.ZodObject<S>>, HttpError> =>
    parse(z.object(shape), raw).mapErr(() => ({ type: 'NotFound' }) as const);

const positiveInteger = z
  .string()
  .regex(/^[1-9][0-9]{0,9}$/)
  .transform(Number);
const organization = positiveInteger.pipe(OrganizationId);
const revision = positiveInteger.pipe(RevisionNumber);

export const zoneParameter = segments({ id: ZoneId });
export const parentZoneParameter = segments({ zoneId: ZoneId });
export const ruleParameters = segments({ zoneId: ZoneId, id: RuleId });
export const basicAuthUserParameters = segments({ zoneId: ZoneId, id: BasicAuthUserId });
export const revisionParameters = segments({ zoneId: ZoneId, number: revision });
export const diffParameters = segments({ zoneId: ZoneId, number: revision, other: revision });
export const userParameter = segments({ id: UserId });
export const sessionParameter = segments({ id: SessionId });
export const apiTokenParameter = segments({ id: ApiTokenId });
export const organizationParameter = segments({ id: organization });
export const memberParameters = segments({ id: organization, user: UserId });
export const invitationParameters = segments({ id: organization, invitation: InvitationId });
export const originServerParameters = segments({ id: organization, originServer: BackendId });
export const loadBalancerParameters = segments({ id: organization, loadBalancer: BackendId });
