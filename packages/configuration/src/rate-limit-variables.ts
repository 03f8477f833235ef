import { type RateLimit, rateLimit } from './config-values.ts';

/** Default points and seconds of each limiter. */
const defaultRateLimits = {
  'login-pair': { points: 5, seconds: 900 },
  'login-net': { points: 60, seconds: 900 },
  'login-account': { points: 50, seconds: 86_400 },
  register: { points: 30, seconds: 3_600 },
  'forgot-pair': { points: 5, seconds: 900 },
  'forgot-net': { points: 30, seconds: 3_600 },
  'resend-pair': { points: 5, seconds: 900 },
  'resend-net': { points: 30, seconds: 3_600 },
  reset: { points: 30, seconds: 900 },
  verify: { points: 30, seconds: 900 },
  'mfa-user': { points: 10, seconds: 900 },
  'invite-user': { points: 50, seconds: 86_400 },
  'invite-address': { points: 3, seconds: 86_400 },
  /** Looks that users cause, per domain. */
  'verify-domain': { points: 10, seconds: 600 },
  refresh: { points: 300, seconds: 300 },
  passkey: { points: 300, seconds: 300 },
  credentials: { points: 1_000, seconds: 300 },
  api: { points: 600, seconds: 60 },
  /** By default, twice the points of RATE_LIMIT_API in the same window. */
  'api-user': { points: 1_200, seconds: 60 },
  /** By default, the same as RATE_LIMIT_API. */
  evaluate: { points: 600, seconds: 60 },
  analysis: { points: 60, seconds: 60 },
  edge: { points: 3_600, seconds: 60 },
  /** Far more than is published in that time, and enough for 10,000 documents at a start. */
  'edge-documents': { points: 60_000, seconds: 60 },
} as const satisfies Record<string, RateLimit>;

/** The limiters, by their names in the `RateLimit` header fields. */
export type RateLimitName = keyof typeof defaultRateLimits;

// `Object.keys` loses the key type.
/** The names of all limiters. */
export const rateLimitNames = Object.keys(defaultRateLimits) as RateLimitName[];
/** The variable that configures a limiter. */
export const rateLimitVariable = (name: RateLimitName): string =>
  `RATE_LIMIT_${name.replaceAll('-', '_').toUpperCase()}`;

/** The schema of each variable. */
export const rateLimitSchemas = Object.fromEntries(
  rateLimitNames.map((name) => [rateLimitVariable(name), rateLimit.optional()]),
);

/** The budgets of all limiters, multiplied by `RATE_LIMIT_SCALE`. */
export function rateLimitsOf(given: { readonly RATE_LIMIT_SCALE: number }): Record<RateLimitName, RateLimit> {
  // The names are computed, so the compiler does not know them as members.
  const set = given as object as Record<string, RateLimit | undefined>;
  const api = set[rateLimitVariable('api')] ?? defaultRateLimits.api;
  const usual = { ...defaultRateLimits, 'api-user': { points: 2 * api.points, seconds: api.seconds }, evaluate: api };
  const scaled = rateLimitNames.map((name) => {
    const { points, seconds } = set[rateLimitVariable(name)] ?? usual[name];
    return [name, { points: Math.max(1, Math.round(points * given.RATE_LIMIT_SCALE)), seconds }] as const;
  });
  // `Object.fromEntries` loses that every name has an entry.
  return Object.fromEntries(scaled) as Record<RateLimitName, RateLimit>;
}
