import { type KeyObject, randomUUID } from 'node:crypto';
import {
  type AccessClaims,
  type AccessTokens,
  parse,
  SessionId,
  sessionLifetimes,
  type Unauthenticated,
  UserId,
  unauthenticated,
} from '@zonewright/core';
import jwt from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import { err, ok, Result } from 'neverthrow';
import { type KeyRing, secretKeys } from './key-ring.ts';

const algorithm = 'HS256';
const type = 'at+jwt';
const clockSkewSeconds = 5;
/** Tokens travel in a cookie, whose size is limited (RFC 6265 section 6.1). */
const maxLength = 4096;

/** Who issues and accepts tokens, and the keys that sign them (HMAC). */
export interface AccessTokenSettings {
  readonly keys: KeyRing;
  /** The service's public address. */
  readonly issuer: string;
  /** The intended recipient of the tokens. */
  readonly audience: string;
  readonly now?: () => Date;
}

type Verification = jwt.VerifyOptions & { complete?: false };
type Expiry = Pick<Verification, 'maxAge' | 'ignoreExpiration'>;

/** Maximum number of cached verifications. */
const maxRemembered = 5000;

/** The claims of a token with a valid signature. */
interface CachedVerification {
  readonly claims: AccessClaims;
  /** Seconds since 1970: the expiry time plus the tolerated clock skew. */
  readonly refusedFrom: number;
}

/** Access tokens as JWTs signed with HMAC-SHA-256 (RFC 9068). They contain neither roles nor addresses. */
export function jwtAccessTokens({ keys, issuer, audience, now = () => new Date() }: AccessTokenSettings): AccessTokens {
  // The library skips a check if the expected value is empty.
  if (issuer === '' || audience === '') throw new Error('Access tokens need an issuer and an audience.');
  const { current, byKid } = secretKeys(keys);
  const seconds = () => Math.floor(now().getTime() / 1000);
  const expected: Verification = { algorithms: [algorithm], issuer, audience, clockTolerance: clockSkewSeconds };

  const checkedPayload = (token: string, expiry: Expiry): Result<jwt.JwtPayload | string, Unauthenticated> =>
    headerOf(token)
      .andThen((header) => keyNamedBy(header, byKid))
      .andThen((key) => payloadOf(token, key, { ...expected, ...expiry, clockTimestamp: seconds() }));

  // A valid signature never changes, so it is cached; expiry is checked every time, and storage knows whether the
  // session is live.
  const remembered = new LRUCache<string, CachedVerification>({ max: maxRemembered });
  const verify = (token: string): Result<AccessClaims, Unauthenticated> => {
    const cached = remembered.get(token);
    if (cached !== undefined) return seconds() < cached.refusedFrom ? ok(cached.claims) : err(unauthenticated());
    return checkedPayload(token, { maxAge: sessionLifetimes.accessTokenSeconds }).andThen((payload) =>
      claimsIn(payload).map((claims) => {
        remembered.set(token, { claims, refusedFrom: lifetimeEnd(payload) + clockSkewSeconds });
        return claims;
      }),
    );
  };

  return {
    issue: ({ userId, sessionId, methods }) =>
      jwt.sign({ sid: sessionId, amr: methods, iat: seconds() }, current.key, {
        header: { alg: algorithm, typ: type, kid: current.kid },
        algorithm,
        issuer,
        audience,
        subject: userId,
        jwtid: randomUUID(),
        expiresIn: sessionLifetimes.accessTokenSeconds,
      }),
    verify,
    verifyIgnoringExpiry: (token) => checkedPayload(token, { ignoreExpiration: true }).andThen(claimsIn),
  };
}

const headerOf = (token: string): Result<jwt.JwtHeader, Unauthenticated> => {
  if (token.length > maxLength) return err(unauthenticated());
  return decoded(token).andThen((whole) => (whole === null ? err(unauthenticated()) : ok(whole.header)));
};

const decoded = Result.fromThrowable((token: string) => jwt.decode(token, { complete: true }), unauthenticated);

/** Takes the key only from the ring: keys and key URLs in the header are ignored (RFC 8725 section 3.10). */
function keyNamedBy(header: jwt.JwtHeader, byKid: ReadonlyMap<string, KeyObject>): Result<KeyObject, Unauthenticated> {
  const key = header.kid === undefined ? undefined : byKid.get(header.kid);
  // The library ignores "crit"; a token with extensions that must be understood is rejected (RFC 7515 section 4.1.11).
  if (key === undefined || header.typ !== type || header.crit !== undefined) return err(unauthenticated());
  return ok(key);
}

const payloadOf = Result.fromThrowable(
  (token: string, key: KeyObject, options: Verification) => jwt.verify(token, key, options),
  unauthenticated,
);

/** Zero if the token has no issue time, as ours always do. */
const lifetimeEnd = (payload: jwt.JwtPayload | string): number => {
  const { iat = 0, exp = 0 } = typeof payload === 'string' ? {} : payload;
  return Math.min(exp, iat + sessionLifetimes.accessTokenSeconds);
};

function claimsIn(payload: jwt.JwtPayload | string): Result<AccessClaims, Unauthenticated> {
  if (typeof payload === 'string') return err(unauthenticated());
  return Result.combine([parse(UserId, payload.sub), parse(SessionId, payload['sid'])])
    .map(([userId, sessionId]) => ({ userId, sessionId }))
    .mapErr(unauthenticated);
}
