import {
  ChallengeToken,
  type InvalidInput,
  parse,
  RefreshToken,
  type Unauthenticated,
  unauthenticated,
} from '@zonewright/core';
import type { Context } from 'koa';
import { err, ok, type Result } from 'neverthrow';
import { z } from 'zod';
import { cookieNames } from './cookies.ts';
import { checkOrigin, type ForeignOrigin } from './origin.ts';

/** The credential a request carries, as presented: nothing about it is proven yet. */
export type Credential =
  | { readonly kind: 'access token'; readonly token: string }
  | { readonly kind: 'API token'; readonly token: string }
  | { readonly kind: 'none' };

/** Which one of them counts must never be a guess. */
export interface SeveralCredentials {
  readonly type: 'SeveralCredentials';
}

/** Tokens that are accepted from a body as well. */
const CookieTokens = z.object({ refreshToken: RefreshToken.optional(), challengeToken: ChallengeToken.optional() });

/** Reads the credentials of one request. A cookie counts only if the request comes from a trusted page. */
export class RequestCredentials {
  readonly #ctx: Context;
  readonly #trustedOrigins: ReadonlySet<string>;

  constructor(ctx: Context, trustedOrigins: ReadonlySet<string>) {
    this.#ctx = ctx;
    this.#trustedOrigins = trustedOrigins;
  }

  /**
   * The credential that says who calls. Two headers at once are refused. The cookie is looked at only when there is no
   * header.
   */
  presented(): Result<Credential, Unauthenticated | SeveralCredentials | ForeignOrigin> {
    const { authorization = [], 'x-api-token': apiTokens = [] } = this.#ctx.req.headersDistinct;
    if (authorization.length + apiTokens.length > 1) return err({ type: 'SeveralCredentials' });
    const [apiToken, header] = [apiTokens[0], authorization[0]];
    if (apiToken !== undefined) return ok({ kind: 'API token', token: apiToken });
    if (header !== undefined) return bearer(header);
    return this.#cookie(cookieNames.accessToken).map((token) =>
      token === undefined ? { kind: 'none' as const } : { kind: 'access token' as const, token },
    );
  }

  /** Checked as in a body, with the violations of the member `refreshToken`. */
  refreshTokenCookie(): Result<RefreshToken | undefined, ForeignOrigin | InvalidInput> {
    return this.#cookie(cookieNames.refreshToken)
      .andThen((refreshToken) => parse(CookieTokens, { refreshToken }))
      .map(({ refreshToken }) => refreshToken);
  }

  /** Checked as in a body, with the violations of the member `challengeToken`. */
  challengeCookie(): Result<ChallengeToken | undefined, ForeignOrigin | InvalidInput> {
    return this.#cookie(cookieNames.challenge)
      .andThen((challengeToken) => parse(CookieTokens, { challengeToken }))
      .map(({ challengeToken }) => challengeToken);
  }

  #cookie(name: string): Result<string | undefined, ForeignOrigin> {
    const value = this.#ctx.cookies.get(name);
    return value === undefined || value === ''
      ? ok(undefined)
      : checkOrigin(this.#ctx, this.#trustedOrigins).map(() => value);
  }
}

/** Exactly one token after the scheme, whose name is case-insensitive (RFC 9110 section 11.1, RFC 6750 section 2.1). */
function bearer(authorization: string): Result<Credential, Unauthenticated> {
  const [scheme, token, ...rest] = authorization.split(' ');
  const wellFormed = scheme?.toLowerCase() === 'bearer' && token !== undefined && token !== '' && rest.length === 0;
  return wellFormed ? ok({ kind: 'access token', token }) : err(unauthenticated());
}
