import type { CacheDecision } from '../cache/cache-decision.ts';
import type { AccessPhase } from '../phases/access-rules.ts';
import type { BasicAuthPhase } from '../phases/basic-auth.ts';
import type { ConfigurationPhase } from '../phases/configuration-rules.ts';
import type { Disposition } from '../phases/dispositions.ts';
import type { MaintenancePhase } from '../phases/maintenance.ts';
import type { OriginAnswer } from '../phases/origin.ts';
import type { ResponseAnswer } from '../phases/response.ts';
import type { RewritePhase } from '../phases/rewrite-rules.ts';
import type { SecurityPhase } from '../phases/security.ts';
import type { RejectionReason, TargetForm } from '../request/canonical-request.ts';
import type { SettingsAnswer } from '../settings/effective-settings.ts';

/** One phase of an evaluation. */
export type Phase = AccessPhase | RewritePhase | ConfigurationPhase | SecurityPhase | BasicAuthPhase | MaintenancePhase;

/** The facts that can be unknown. */
export type UnknownFact = 'ip' | 'country' | 'asn' | 'cookies' | 'headers';

/** The canonical request as shown in an evaluation. */
export interface RequestAnswer {
  readonly method: string;
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly form: TargetForm;
  readonly ip?: string;
  readonly country?: string;
  readonly asn?: number | null;
  readonly status?: number;
  readonly unknown: readonly UnknownFact[];
}

/**
 * What a configuration does to a request, as plain JSON data. Read-only: parts are shared with other evaluations and
 * the configuration.
 */
export interface Evaluation {
  /** Version of the cache's fixed lists. */
  readonly constantsVersion: number;
  /** Absent if the request is rejected. */
  readonly request?: RequestAnswer;
  /** The only possible one, or `unknown`. */
  readonly disposition: Disposition | 'unknown';
  /** All possible ones, in the order of phases, without duplicates. */
  readonly dispositions: readonly Disposition[];
  /** Absent for serve, and for redirects with several possible answers. */
  readonly status?: number;
  /** For redirects with one possible answer. */
  readonly location?: string;
  /** For rejected requests. */
  readonly reason?: RejectionReason;
  /** Those reached, in order. */
  readonly phases?: readonly Phase[];
  /** Present if configuration rules were reached and the request had not ended before. */
  readonly settings?: SettingsAnswer;
  /** Present if no earlier phase ended the request. */
  readonly cache?: CacheDecision;
  /** Present if the request may be served. */
  readonly origin?: OriginAnswer;
  /** Present if the request may be served. */
  readonly response?: ResponseAnswer;
}
