import { headerSubject } from '../conditions/subjects.ts';
import { and, not, type Tri, triOf } from '../conditions/tri.ts';
import type { CanonicalRequest } from '../request/canonical-request.ts';
import type { EffectiveSettings } from '../settings/effective-settings.ts';

/** The phase in an evaluation. */
export interface BasicAuthPhase {
  readonly phase: 'basicAuth';
  readonly ends: Tri;
  readonly required: Tri;
  readonly credentials: 'given' | 'missing' | 'unknown';
}

const basicCredentials = /^basic +[^ ]/i;
const credentials = { true: 'given', false: 'missing', unknown: 'unknown' } as const;

/**
 * Requires credentials if the settings say so. Passwords are not checked: the evaluation continues as for an allowed
 * user.
 */
export function basicAuthPhase(request: CanonicalRequest, settings: EffectiveSettings): BasicAuthPhase {
  const required = settings.holds('basicAuth', ({ enabled }) => enabled);
  const subject = headerSubject(request, 'authorization');
  const given = subject === undefined ? 'unknown' : triOf(subject.some((value) => basicCredentials.test(value)));
  return { phase: 'basicAuth', ends: and(required, not(given)), required, credentials: credentials[given] };
}
