import { type AuditEntry, jsonDocument, type NewRevision, type RecordedChange, type ZonePlan } from '@zonewright/core';
import { noClient } from './requests.ts';

/** An event without an actor. */
export const anAuditEntry = (given: Partial<AuditEntry> = {}): AuditEntry => ({
  action: 'zone.created',
  actor: undefined,
  credential: undefined,
  organization: undefined,
  objects: {},
  client: noClient,
  ...given,
});

/** A revision that renames a zone; by default without a snapshot. */
export const aRevision = (given: Partial<NewRevision> & Pick<NewRevision, 'zoneId' | 'number'>): NewRevision => ({
  action: 'zone.changed',
  objects: {},
  author: undefined,
  patch: given.snapshot === undefined ? jsonDocument({ name: `name ${given.number}` }) : undefined,
  snapshot: undefined,
  restored: undefined,
  replayBytes: 0,
  ...given,
});

/** A plan with arbitrary records. */
export const aChange = (plan: ZonePlan = {}): RecordedChange => ({
  plan,
  revision: {
    action: 'zone.changed',
    objects: {},
    patch: jsonDocument({}),
    snapshot: undefined,
    restored: undefined,
    replayBytes: 0,
  },
  audit: { credential: undefined, objects: {}, client: noClient },
});
