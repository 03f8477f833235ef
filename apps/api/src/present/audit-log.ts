import { auditActions, type RecordedAuditEntry } from '@zonewright/core';
import { z } from 'zod';
import { link, type ResourceDescription, readOnly, timestamp } from '../resources/description.ts';
import { iri } from '../resources/iri.ts';
import { Item } from '../resources/resource.ts';
import { presentPage } from './page.ts';

/** An event of the audit log. */
export const auditEntryResource = {
  type: 'AuditEntry',
  title: 'audit entry',
  description: 'Something that happened in an organization, written down for ever.',
  schema: z.object({
    id: readOnly(
      z.string().meta({ examples: ['0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e'] }),
      'Tells the entry from every other.',
    ),
    at: timestamp('When it happened.'),
    action: readOnly(z.enum(auditActions), 'What happened.'),
    actor: link('User', 'Who acted, or whose account an attempt was aimed at; absent where nobody is known.')
      .meta({ readOnly: true })
      .optional(),
    credential: readOnly(z.string().optional(), 'Id of the session or API token with which it was done.'),
    objects: readOnly(
      z.record(z.string(), z.string()),
      'What was acted on: ids by kind, and what else tells it. Of what was deleted its `name`, of a zone its `tag` as well.',
    ),
    network: readOnly(
      z.string().optional(),
      'Network address the request came from; of an IPv6 address the first 64 bits.',
    ),
    userAgent: readOnly(z.string().max(200).optional(), 'The `User-Agent` of the request, at most 200 characters.'),
  }),
} as const satisfies ResourceDescription;

const presentAuditEntry = (entry: RecordedAuditEntry): Item =>
  new Item({
    type: auditEntryResource.type,
    iri: iri.auditEntry(entry),
    members: {
      id: entry.id,
      at: entry.at,
      action: entry.action,
      actor: entry.actor && iri.user(entry.actor),
      credential: entry.credential,
      objects: entry.objects,
      network: entry.client.network,
      userAgent: entry.client.userAgent,
    },
  });

export const presentAuditLog = presentPage(auditEntryResource.type, presentAuditEntry, [
  { variable: 'action', property: 'action' },
  { variable: 'action[]', property: 'action' },
  { variable: 'actor', property: 'actor' },
  { variable: 'since', property: 'at' },
  { variable: 'until', property: 'at' },
]);
