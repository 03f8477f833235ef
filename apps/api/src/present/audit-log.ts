import type { RecordedAuditEntry } from '@zonewright/core';
import { iri } from '../http/iri.ts';
import { Item } from '../http/resource.ts';
import { presentPage } from './page.ts';

/** An event of the audit log. */
const presentAuditEntry = (entry: RecordedAuditEntry): Item =>
  new Item({
    type: 'AuditEntry',
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

export const presentAuditLog = presentPage('AuditEntry', presentAuditEntry, [
  { variable: 'action', property: 'action' },
  { variable: 'action[]', property: 'action' },
  { variable: 'actor', property: 'actor' },
  { variable: 'since', property: 'at' },
  { variable: 'until', property: 'at' },
]);
