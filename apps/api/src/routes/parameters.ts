import {
  ApiTokenId,
  BackendId,
  BasicAuthUserId,
  ChangeSetId,
  DomainId,
  IdentityId,
  InvitationId,
  OrganizationId,
  PasskeyId,
  PromotionId,
  ProviderId,
  parse,
  RevisionNumber,
  RuleId,
  SessionId,
  UserId,
  ZoneId,
} from '@zonewright/core';
import { z } from 'zod';
import type { PathParameters } from '../http/route-row.ts';

/** Parses path segments into ids. An invalid id cannot name a resource. */
function segments<S extends z.ZodRawShape>(shape: S): PathParameters<z.output<z.ZodObject<S>>> {
  const schema = z.object(shape);
  return Object.assign(
    (raw: Readonly<Record<string, string>>) => parse(schema, raw).mapErr(() => ({ type: 'NotFound' }) as const),
    { schema },
  );
}

const positiveInteger = z
  .string()
  .regex(/^[1-9][0-9]{0,9}$/)
  .transform(Number);
const number = { type: 'integer', minimum: 1, maximum: 2_147_483_647 } as const;
const organization = positiveInteger.pipe(OrganizationId).meta({ ...number, description: 'Id of the organization.' });
const revision = positiveInteger.pipe(RevisionNumber).meta({ ...number, description: 'Number of the revision.' });
const other = revision.meta({ ...number, description: 'Number of the revision to compare with.' });
const zone = ZoneId.meta({ description: 'Id of the zone.' });
const user = UserId.meta({ description: 'Id of the user.' });

export const zoneParameter = segments({ id: zone });
export const parentZoneParameter = segments({ zoneId: zone });
export const ruleParameters = segments({ zoneId: zone, id: RuleId.meta({ description: 'Id of the rule.' }) });
export const basicAuthUserParameters = segments({
  zoneId: zone,
  id: BasicAuthUserId.meta({ description: 'Id of the basic-auth user.' }),
});
export const changeSetParameters = segments({
  zoneId: zone,
  id: ChangeSetId.meta({ description: 'Id of the change set.' }),
});
export const revisionParameters = segments({ zoneId: zone, number: revision });
export const diffParameters = segments({ zoneId: zone, number: revision, other });
export const promotionParameters = segments({
  zoneId: zone,
  id: PromotionId.meta({ description: 'Id of the promotion.' }),
});
export const deletedZoneParameters = segments({ id: organization, zoneId: zone });
export const userParameter = segments({ id: user });
export const sessionParameter = segments({ id: SessionId.meta({ description: 'Id of the session.' }) });
export const providerParameter = segments({ id: ProviderId.meta({ description: 'Id of the provider.' }) });
export const identityParameter = segments({ id: IdentityId.meta({ description: 'Id of the linked identity.' }) });
export const apiTokenParameter = segments({ id: ApiTokenId.meta({ description: 'Id of the API token.' }) });
export const passkeyParameter = segments({ id: PasskeyId.meta({ description: 'Id of the passkey.' }) });
export const organizationParameter = segments({ id: organization });
export const memberParameters = segments({ id: organization, user });
export const invitationParameters = segments({
  id: organization,
  invitation: InvitationId.meta({ description: 'Id of the invitation.' }),
});
export const domainParameters = segments({
  id: organization,
  domain: DomainId.meta({ description: 'Id of the domain.' }),
});
export const edgeDocumentParameters = segments({
  digest: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/)
    .meta({ description: 'Digest of the document: `sha256:` and 64 hexadecimal digits.' }),
});
const originServer = BackendId.meta({ description: 'Id of the origin server.' });
const loadBalancer = BackendId.meta({ description: 'Id of the load balancer.' });
export const originServerParameters = segments({ id: organization, originServer });
export const originServerRevisionParameters = segments({ id: organization, originServer, number: revision });
export const loadBalancerParameters = segments({ id: organization, loadBalancer });
export const loadBalancerRevisionParameters = segments({ id: organization, loadBalancer, number: revision });
