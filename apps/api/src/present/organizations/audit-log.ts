import { type ResourceDescription, readOnly, readOnlyLink, timestamp } from '@zonewright/api-description';
import { auditActions, type RecordedAuditEntry } from '@zonewright/core';
import { z } from 'zod';
import { iri } from '../../resources/iri.ts';
import { itemOf, presentPage } from '../item.ts';

/** An event of the audit log. */
export const auditEntryResource = {
  type: 'AuditEntry',
  title: 'audit entry',
  description: 'A permanent record of an action in an organization.',
  schema: z.object({
    id: readOnly(z.string().meta({ examples: ['0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e'] }), 'Unique id of the entry.'),
    at: timestamp('When it happened.'),
    action: readOnly(z.enum(auditActions), 'What happened.'),
    actor: readOnlyLink(
      'User',
      'The user who performed the action, or whose account was the target of an attempt; absent if unknown.',
    ).optional(),
    credential: readOnly(z.string().optional(), 'Id of the session or API token that was used.'),
    objects: readOnly(
      z.record(z.string(), z.string()),
      'What was affected: ids by kind, and further details. Deletions include the `name`, and for a zone also the `tag`.',
    ),
    network: readOnly(z.string().optional(), 'Network address the request came from; for IPv6, the first 64 bits.'),
    userAgent: readOnly(
      z.string().max(200).optional(),
      'The `User-Agent` of the request, truncated to 200 characters.',
    ),
  }),
} as const satisfies ResourceDescription;

/** An event of the log of an account. */
export const accountEventResource = {
  ...auditEntryResource,
  type: 'AccountEvent',
  title: 'account event',
  description: 'A permanent record of something that a user did with their account, or that others tried.',
} as const satisfies ResourceDescription;

const presentAs = (resource: typeof auditEntryResource | typeof accountEventResource) => (entry: RecordedAuditEntry) =>
  itemOf(
    resource,
    { iri: iri.auditEntry(entry) },
    { ...entry.client, ...entry, actor: entry.actor && iri.user(entry.actor) },
  );

const timeAndAction = [
  { variable: 'action', property: 'action' },
  { variable: 'action[]', property: 'action' },
  { variable: 'since', property: 'at' },
  { variable: 'until', property: 'at' },
] as const;

export const presentAccountLog = presentPage(accountEventResource.type, presentAs(accountEventResource), timeAndAction);

export const presentAuditLog = presentPage(auditEntryResource.type, presentAs(auditEntryResource), [
  { variable: 'action', property: 'action' },
  { variable: 'action[]', property: 'action' },
  { variable: 'actor', property: 'actor' },
  { variable: 'since', property: 'at' },
  { variable: 'until', property: 'at' },
]);
