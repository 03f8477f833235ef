import type { Caller } from '../access/caller.ts';
import type { AuditEntry } from '../audit/audit-entry.ts';
import { auditEntryOf } from '../audit/record.ts';
import type { NewRevision } from '../history/ports.ts';
import { documentOf } from '../history/zone-document.ts';
import { jsonDocument } from '../shared/json-document.ts';
import type { Zone } from './zone.ts';

/** The first revision and the audit entry of a new zone. */
export function recordedCreation(
  caller: Caller,
  zone: Zone,
): { readonly revision: NewRevision; readonly audit: AuditEntry } {
  const document = documentOf({ zone, rules: noRules }, []);
  return {
    revision: {
      zoneId: zone.id,
      number: zone.revision,
      action: 'zone.created',
      objects: {},
      author: caller.userId,
      snapshot: jsonDocument(document),
      patch: undefined,
      restored: undefined,
      replayBytes: 0,
    },
    audit: auditEntryOf(caller, 'zone.created', { organization: zone.organizationId, objects: { zone: zone.id } }),
  };
}

const noRules = { configurationRule: [], rewriteRule: [], accessRule: [], securityScenario: [] } as const;
