import {
  ApiTokenId,
  ApiTokenName,
  type ApiTokens,
  type Challenges,
  defaultTokenPermissions,
  type MailedTokens,
  type Sessions,
} from '@zonewright/core';
import type { Added } from './added.ts';
import { aSessionId, aTokenHash, unique, uuid } from './ids.ts';

/** The argument of `MailedTokens.issue`. */
export type NewMailedToken = Added<MailedTokens['issue']>;

/** A token that verifies the address, valid for an hour. */
export const aMailedToken = (given: Partial<NewMailedToken> & Pick<NewMailedToken, 'userId'>): NewMailedToken => ({
  hash: aTokenHash(),
  purpose: 'verify-email',
  lifetimeSeconds: 3600,
  ...given,
});

/** The argument of `Sessions.open`. */
export type NewSession = Added<Sessions['open']>;

/** A session opened with a password, with a lifetime of 10 000 seconds. */
export const aSession = (given: Partial<NewSession> & Pick<NewSession, 'userId'>): NewSession => ({
  id: aSessionId(),
  credentialsVersion: 1,
  methods: ['pwd'],
  provider: undefined,
  userAgent: 'Browser/1.0',
  lifetimeSeconds: 10_000,
  maxLive: 100,
  ...given,
});

/** The argument of `Challenges.issue`. */
export type NewChallenge = Added<Challenges['issue']>;

/** A challenge for credentials that have never changed. */
export const aChallenge = (given: Partial<NewChallenge> & Pick<NewChallenge, 'userId'>): NewChallenge => ({
  hash: aTokenHash(),
  credentialsVersion: 1,
  lifetimeSeconds: 300,
  ...given,
});

/** The argument of `ApiTokens.add`. */
export type NewApiToken = Added<ApiTokens['add']>;

/** An API token without restrictions and expiry. */
export const anApiToken = (given: Partial<NewApiToken> & Pick<NewApiToken, 'userId'>): NewApiToken => ({
  id: ApiTokenId.parse(uuid()),
  hash: aTokenHash(),
  name: ApiTokenName.parse(`token ${unique()}`),
  prefix: 'zw_AbCdE',
  // `admin` cannot be limited to zones.
  permissions: given.zones === undefined ? ['admin'] : defaultTokenPermissions,
  zones: undefined,
  networks: undefined,
  readOnly: false,
  organizations: [],
  expiresAt: undefined,
  ...given,
});
