import { created, item, list, mergePatchOn, readOnlyMembers, whole } from '@zonewright/api-description';
import { mayCreateOrganizations, OrganizationDraft, OrganizationSettings, parse, usageLimits } from '@zonewright/core';
import { ok, okAsync } from 'neverthrow';
import { revalidated } from '../../http/answer.ts';
import { PageQuery } from '../../http/query.ts';
import { protectedRoute } from '../../http/route.ts';
import {
  organizationDetailsResource,
  organizationResource,
  presentOrganization,
  presentOrganizationDetails,
  presentOrganizations,
} from '../../present/organizations/organization.ts';
import { writableMembers } from '../../resources/resource-body.ts';
import { organizationParameter } from '../parameters.ts';
import { noContent } from '../row-members.ts';

const collectionPath = '/api/organizations';
const itemPath = `${collectionPath}/:id`;

const { name, enforceTwoFactor, requiredProvider } = organizationResource.schema.shape;
const FoundingBody = OrganizationDraft.extend({
  name,
  enforceTwoFactor: OrganizationDraft.shape.enforceTwoFactor.meta({
    description: 'Only false is accepted: two-factor authentication can be enforced once the organization exists.',
  }),
});
const SettingsBody = OrganizationSettings.extend({ name, enforceTwoFactor, requiredProvider });
const readOnly = readOnlyMembers(organizationDetailsResource);

export const organizationRoutes = [
  protectedRoute({
    method: 'get',
    path: collectionPath,
    cost: 'constant',
    permission: 'members:read',
    summary: 'List your organizations.',
    description:
      'Sorted by name. Includes organizations that require two-factor authentication before you can access anything else in them.',
    answers: list(organizationResource),
    query: PageQuery,
    run: ({ caller, query, useCases }) => useCases.listOrganizations(caller, query),
    present: (organizations, { query }) => revalidated(presentOrganizations(organizations, query)),
  }),
  protectedRoute({
    method: 'post',
    path: collectionPath,
    cost: 'constant',
    permission: 'admin',
    summary: 'Create an organization.',
    description:
      `You become its owner. A user can own at most ${usageLimits.organizations.default} organizations, unless the operator ` +
      'sets another limit. An API token that is restricted to certain organizations cannot create others.',
    answers: created(organizationResource),
    accepts: whole(FoundingBody),
    errors: ['CreationDenied'],
    permitted: ({ caller }) => mayCreateOrganizations(caller).asyncAndThen(() => okAsync()),
    body: (body) => parse(FoundingBody, writableMembers(body, readOnly)),
    run: ({ caller, body, useCases }) => useCases.createOrganization(caller, body),
    present: (organization) => ({ body: presentOrganization(organization) }),
  }),
  protectedRoute({
    method: 'get',
    path: itemPath,
    cost: 'constant',
    permission: 'members:read',
    summary: 'Read an organization.',
    description: 'With the bytes that its zones, histories and drafts store, and the limit.',
    answers: item(organizationDetailsResource),
    params: organizationParameter,
    run: ({ caller, params, useCases }) => useCases.readOrganization(caller, params.id),
    present: (organization) => revalidated(presentOrganizationDetails(organization)),
  }),
  protectedRoute({
    method: 'patch',
    path: itemPath,
    cost: 'constant',
    permission: 'admin',
    summary: 'Change the name or the policies of an organization.',
    description:
      'Owners and admins can change the name. Only owners can change `enforceTwoFactor`, never with an API token; ' +
      'to turn it on they need two-factor authentication themselves. The same holds for `requiredProvider`: owners can ' +
      'require a provider that they have linked themselves, or lift the requirement with null. Members then have access ' +
      'only by sessions that came from it; API tokens go on.',
    answers: item(organizationResource),
    accepts: mergePatchOn(SettingsBody),
    errors: ['OwnSecondFactorMissing', 'OwnProviderMissing', 'SessionRequired', 'ConfirmationRequired'],
    params: organizationParameter,
    permitted: ({ caller, params: { id }, useCases }) =>
      useCases.checkOrganizationAccess(caller, id, 'organization.rename'),
    body: (body) => ok(writableMembers(body, readOnly)),
    run: ({ caller, params, body, expected, useCases }) =>
      useCases.updateOrganization(caller, params.id, body, expected),
    present: (organization) => ({ body: presentOrganization(organization) }),
  }),
  protectedRoute({
    method: 'delete',
    path: itemPath,
    cost: 'constant',
    permission: 'session',
    summary: 'Delete an organization that has no zones.',
    description: 'For owners; API tokens are not accepted. Its memberships and invitations are deleted, too.',
    ...noContent,
    errors: ['OrganizationNotEmpty', 'SessionRequired', 'ConfirmationRequired'],
    params: organizationParameter,
    run: ({ caller, params, expected, useCases }) => useCases.deleteOrganization(caller, params.id, expected),
  }),
];
