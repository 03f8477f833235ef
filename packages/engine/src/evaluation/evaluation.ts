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

/** What an answer says of one phase. */
export type Phase = AccessPhase | RewritePhase | ConfigurationPhase | SecurityPhase | BasicAuthPhase | MaintenancePhase;

/** The facts that can be unknown. */
export type UnknownFact = 'ip' | 'country' | 'asn' | 'cookies' | 'headers';

/** The canonical request as an answer shows it. */
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
 * What a configuration does to a request, as plain data for JSON. Parts are shared between answers and with the
 * configuration: they are to be read only.
 */
export interface Evaluation {
  /** Version of the fixed lists of the cache. */
  readonly constantsVersion: number;
  /** Left out when the request is rejected. */
  readonly request?: RequestAnswer;
  /** The only possible one, else `unknown`. */
  readonly disposition: Disposition | 'unknown';
  /** All possible ones in order of phases, each once. */
  readonly dispositions: readonly Disposition[];
  /** Of a disposition other than serve; of a redirect only when there is one possible answer. */
  readonly status?: number;
  /** Of a redirect with one possible answer. */
  readonly location?: string;
  /** Of a rejected request. */
  readonly reason?: RejectionReason;
  /** Those reached, in order. */
  readonly phases?: readonly Phase[];
  /** Once configuration rules were reached and the request did not end before. */
  readonly settings?: SettingsAnswer;
  /** Where no phase before it ended the request. */
  readonly cache?: CacheDecision;
  /** Where the request may be served. */
  readonly origin?: OriginAnswer;
  /** Where the request may be served. */
  readonly response?: ResponseAnswer;
}
