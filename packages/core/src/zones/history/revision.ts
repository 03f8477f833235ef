import { err, ok, type Result } from 'neverthrow';
import { z } from 'zod';
import type { UserId, ZoneId } from '../../kernel/shared/ids.ts';
import type { JsonDocument, JsonObject } from '../../kernel/shared/json.ts';
import type { AuditAction } from '../../organizations/audit/audit-entry.ts';

/** The number of a revision, counted per zone. */
export const RevisionNumber = z.int().min(1).max(2_147_483_647).brand<'RevisionNumber'>();
export type RevisionNumber = z.infer<typeof RevisionNumber>;

/** The zone has no revision with this number. */
export const revisionNotFound = () => ({ type: 'RevisionNotFound' }) as const;
export type RevisionNotFound = ReturnType<typeof revisionNotFound>;

/** Treats an invalid number like one that no revision has. */
export function revisionNumber(number: number): Result<RevisionNumber, RevisionNotFound> {
  const parsed = RevisionNumber.safeParse(number);
  return parsed.success ? ok(parsed.data) : err(revisionNotFound());
}

/** Two merge patches (RFC 7396) on the zone's document: one makes a change, the other undoes it. */
export interface PatchPair {
  readonly patch: JsonDocument<JsonObject>;
  readonly inverse: JsonDocument<JsonObject>;
}

/** Who changed what in a zone, and when. */
export interface RevisionSummary {
  readonly zoneId: ZoneId;
  readonly number: number;
  readonly action: AuditAction;
  /** Ids of what was changed inside the zone, by kind. */
  readonly objects: Readonly<Record<string, string>>;
  /** Absent if the account has been deleted, or for zones older than their history. */
  readonly author: UserId | undefined;
  readonly createdAt: Date;
}

/** One change of a zone or of anything in it. History is append-only. */
export interface Revision extends RevisionSummary, PatchPair {}
