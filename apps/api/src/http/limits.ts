import type { RateLimit, RateLimitName } from '@zonewright/configuration';
import type { Caller, EdgeIdentity } from '@zonewright/core';
import type { ResultAsync } from 'neverthrow';
import { wideNetwork, wideNetworkTimes } from './client-address.ts';

/** A limit that applies to a request. */
export interface Limit {
  readonly name: RateLimitName;
  /** The budget's owner: values known before any work is done. */
  readonly parts: readonly string[];
  /**
   * `failures`: the point is refunded unless the guess was wrong. `consecutive failures`: a success also refunds all
   * earlier failures. `successes`: the point is refunded unless the work succeeds.
   */
  readonly counts: 'all' | 'failures' | 'consecutive failures' | 'successes';
  /**
   * A slower budget that remains when this one is used up, so that strangers cannot lock a user out for the whole
   * window.
   */
  readonly afterwards?: RateLimit;
  /** This many times the configured points. */
  readonly times?: number;
  /** Not reported in header fields: strangers share this budget, and must not learn about each other's attempts. */
  readonly isHidden?: boolean;
  /**
   * Points come from leases. Only for budgets that limit load, never guesses; the limits of a request are all leased or
   * none.
   */
  readonly isLeased?: boolean;
  /** Called once when a lock begins, however many attempts run into it. */
  readonly onLock?: () => ResultAsync<void, never>;
}

type User = { readonly userId: string };
type Net = { readonly network: string };
type Pair = Net & { readonly emailKey: string };

/** The budget of a network, and the larger one of the IPv6 site that contains it, which others may share. */
const netLimits = (name: RateLimitName, { network }: Net, counts: Limit['counts']): readonly Limit[] => {
  const site = wideNetwork(network);
  const own = { name, parts: [network], counts };
  return site === undefined ? [own] : [own, { ...own, parts: [site], times: wideNetworkTimes, isHidden: true }];
};
const pairLimit = (name: RateLimitName, { emailKey, network }: Pair, counts: Limit['counts']): Limit => ({
  name,
  parts: [emailKey, network],
  counts,
});

/** The limits of guesses at the password of somebody, from one network and from all together. */
const passwordLimits = (who: string, of: Net): readonly Limit[] => [
  ...netLimits('login-net', of, 'failures'),
  pairLimit('login-pair', { ...of, emailKey: who }, 'failures'),
  { name: 'login-account', parts: [who], counts: 'failures', afterwards: { points: 1, seconds: 30 }, isHidden: true },
];

/** A source of credentials, and the IPv6 site around it if it is a network of one. */
export const sourcesOf = (source: readonly string[]): readonly (readonly string[])[] => {
  const [network = '', ...others] = source;
  const site = others.length === 0 ? wideNetwork(network) : undefined;
  return site === undefined ? [source] : [source, [site]];
};

/**
 * The limits of each group of endpoints. `network` comes from `clientNetwork`; `emailKey` is the normalized address in
 * the request, whether or not it has an account.
 */
export const limitsOf = {
  logIn: (of: Pair): readonly Limit[] => passwordLimits(of.emailKey, of),
  /** As for a login, but counted by user: holding a session does not mean knowing the address. */
  confirmPassword: ({ userId }: User, of: Net): readonly Limit[] => passwordLimits(userId, of),
  /** A sign-in by a provider, whose address is only known afterwards. */
  logInByProvider: (of: Net): readonly Limit[] => netLimits('login-net', of, 'failures'),
  register: (of: Net): readonly Limit[] => netLimits('register', of, 'all'),
  forgotPassword: (of: Pair): readonly Limit[] => [
    ...netLimits('forgot-net', of, 'all'),
    pairLimit('forgot-pair', of, 'all'),
  ],
  resendVerification: (of: Pair): readonly Limit[] => [
    ...netLimits('resend-net', of, 'all'),
    pairLimit('resend-pair', of, 'all'),
  ],
  resetPassword: (of: Net): readonly Limit[] => netLimits('reset', of, 'failures'),
  verifyEmail: (of: Net): readonly Limit[] => netLimits('verify', of, 'failures'),
  /** All endpoints that check a second factor share one count per user. */
  secondFactor: ({ userId }: User, onLock: NonNullable<Limit['onLock']>): readonly Limit[] => [
    { name: 'mfa-user', parts: [userId], counts: 'consecutive failures', onLock },
  ],
  /** Every invitation mail counts, including resends; mails to one address count across organizations. */
  invite: ({ userId, emailKey }: User & { readonly emailKey: string }): readonly Limit[] => [
    { name: 'invite-user', parts: [userId], counts: 'successes' },
    { name: 'invite-address', parts: [emailKey], counts: 'successes', isHidden: true },
  ],
  /**
   * Guessing the current password with a stolen session is guessing too. Counted separately: knowing the password must
   * not allow more guesses at codes.
   */
  currentPassword: ({ userId }: User): readonly Limit[] => [
    { name: 'mfa-user', parts: ['current-password', userId], counts: 'failures' },
  ],
  /** DNS lookups of a domain, no matter which user requests them. */
  verifyDomain: ({ domain }: { readonly domain: string }): readonly Limit[] => [
    { name: 'verify-domain', parts: [domain], counts: 'all' },
  ],
  /** Refresh tokens cannot be guessed, and flows begin without one: this limits a network's load. */
  refresh: (of: Net): readonly Limit[] =>
    netLimits('refresh', of, 'all').map((limit) => ({ ...limit, isLeased: true })),
  /** Options store a challenge, and signatures cannot be guessed: this limits a network's load. */
  passkey: (of: Net): readonly Limit[] =>
    netLimits('passkey', of, 'all').map((limit) => ({ ...limit, isLeased: true })),
  /** One budget per credential and one per user, so that more credentials do not allow more requests. */
  authenticated: ({ userId, credential }: Pick<Caller, 'userId' | 'credential'>): readonly Limit[] => [
    { name: 'api', parts: [credential.id], counts: 'all', isLeased: true },
    { name: 'api-user', parts: [userId], counts: 'all', isLeased: true },
  ],
  /** Evaluations are computed per request, so they are limited per user, whatever the credential. */
  evaluate: ({ userId }: User): readonly Limit[] => [{ name: 'evaluate', parts: [userId], counts: 'all' }],
  /** Requests that take far more work than others. */
  analyze: ({ userId }: User): readonly Limit[] => [{ name: 'analysis', parts: [userId], counts: 'all' }],
  /** The feed and the reports of one edge, by their work. Like documents, they cannot be guessed: this limits load. */
  edge: ({ id }: Pick<EdgeIdentity, 'id'>): readonly Limit[] => [
    { name: 'edge', parts: [id], counts: 'all', isLeased: true },
  ],
  /** Documents that one edge reads. */
  edgeDocuments: ({ id }: Pick<EdgeIdentity, 'id'>): readonly Limit[] => [
    { name: 'edge-documents', parts: [id], counts: 'all', isLeased: true },
  ],
  /** Taken only after a failed look-up; `source` is the credential's source. */
  failedCredential: ({ source }: { readonly source: readonly string[] }): readonly Limit[] =>
    sourcesOf(source).map((parts, index) => ({
      name: 'credentials',
      parts,
      counts: 'all',
      times: index === 0 ? 1 : wideNetworkTimes,
    })),
} as const;
