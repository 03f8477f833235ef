import { err, ok, type Result } from 'neverthrow';
import { z } from 'zod';
import type { AuditAction } from '../audit/audit-entry.ts';
import type { UserId, ZoneId } from '../shared/ids.ts';
import type { JsonDocument } from '../shared/json-document.ts';
import type { JsonObject } from '../shared/merge-patch.ts';
import { type RevisionNotFound, revisionNotFound } from './errors.ts';

/** The number of a revision: the zone's own, raised by every change. */
export const RevisionNumber = z.int().min(1).max(2_147_483_647).brand<'RevisionNumber'>();
export type RevisionNumber = z.infer<typeof RevisionNumber>;

/** What cannot be the number of a revision is the number of none. */
export function revisionNumber(number: number): Result<RevisionNumber, RevisionNotFound> {
  const parsed = RevisionNumber.safeParse(number);
  return parsed.success ? ok(parsed.data) : err(revisionNotFound());
}

/**
 * Two merge patches (RFC 7396) on the zone's document: one that makes a change, and the one that undoes it. As history
 * keeps them, they say of the order of a list only where single rules are put; `replay` understands that.
 */
export interface PatchPair {
  readonly patch: JsonDocument<JsonObject>;
  readonly inverse: JsonDocument<JsonObject>;
}

/** Who changed what of a zone, or of anything inside it, and when. */
export interface RevisionSummary {
  readonly zoneId: ZoneId;
  readonly number: number;
  readonly action: AuditAction;
  /** Ids of what was changed inside the zone, by kind. */
  readonly objects: Readonly<Record<string, string>>;
  /** Absent once the account is gone, and for what was there before history began. */
  readonly author: UserId | undefined;
  readonly createdAt: Date;
}

/** One change of a zone or of anything inside it, as it was made. History is only ever added to. */
export interface Revision extends RevisionSummary, PatchPair {}
