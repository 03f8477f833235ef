import type { ForeignOrigin, MisplacedCredential, SeveralCredentials } from '@zonewright/api-description';
import { cookieNames } from '@zonewright/api-description';
import {
  ChallengeToken,
  type EdgeKeyInvalid,
  edgeKeyInvalid,
  type InvalidInput,
  mayBeEdgeKey,
  parse,
  RefreshToken,
  type Unauthenticated,
  unauthenticated,
} from '@zonewright/core';
import type { Context } from 'koa';
import { err, ok, type Result } from 'neverthrow';
import { z } from 'zod';
import { checkOrigin } from './origin.ts';

/** The credential as presented in the request; not verified yet. */
export type Credential =
  | { readonly kind: 'access token'; readonly token: string }
  | { readonly kind: 'API token'; readonly token: string }
  | { readonly kind: 'none' };

/** Cookie values are validated like the same tokens in a body. */
const CookieTokens = z.object({ refreshToken: RefreshToken.optional(), challengeToken: ChallengeToken.optional() });

/** Reads the credentials of one request. Cookies count only when the request comes from a trusted page. */
export class RequestCredentials {
  readonly #ctx: Context;
  readonly #trustedOrigins: ReadonlySet<string>;

  constructor(ctx: Context, trustedOrigins: ReadonlySet<string>) {
    this.#ctx = ctx;
    this.#trustedOrigins = trustedOrigins;
  }

  /**
   * The credential that identifies the caller. Two header credentials are rejected; the cookie is a fallback for no
   * header.
   */
  presented(): Result<Credential, Unauthenticated | SeveralCredentials | MisplacedCredential | ForeignOrigin> {
    const { authorization = [], 'x-api-token': apiTokens = [] } = this.#ctx.req.headersDistinct;
    if (authorization.length + apiTokens.length > 1) return err({ type: 'SeveralCredentials' });
    const [apiToken, header] = [apiTokens[0], authorization[0]];
    if (apiToken !== undefined) return ok({ kind: 'API token', token: apiToken });
    if (header !== undefined) return bearer(header);
    return this.#cookie(cookieNames.accessToken).map((token) =>
      token === undefined ? { kind: 'none' as const } : { kind: 'access token' as const, token },
    );
  }

  /** The key of an edge, which must be the only credential in a header field. */
  edgeKey(): Result<string, EdgeKeyInvalid> {
    const { authorization = [], 'x-api-token': apiTokens = [] } = this.#ctx.req.headersDistinct;
    const [header = '', ...others] = [...authorization, ...apiTokens];
    const [, key = ''] = /^bearer +(\S+)$/i.exec(header) ?? [];
    return others.length === 0 && mayBeEdgeKey(key) ? ok(key) : err(edgeKeyInvalid());
  }

  /** Validated like the body member, with violations for `refreshToken`. */
  refreshTokenCookie(): Result<RefreshToken | undefined, ForeignOrigin | InvalidInput> {
    return this.#cookie(cookieNames.refreshToken)
      .andThen((refreshToken) => parse(CookieTokens, { refreshToken }))
      .map(({ refreshToken }) => refreshToken);
  }

  /** Validated like the body member, with violations for `challengeToken`. */
  challengeCookie(): Result<ChallengeToken | undefined, ForeignOrigin | InvalidInput> {
    return this.#cookie(cookieNames.challenge)
      .andThen((challengeToken) => parse(CookieTokens, { challengeToken }))
      .map(({ challengeToken }) => challengeToken);
  }

  /** What a browser has kept of a flow; requests of flows come from the provider's site, so any origin may send it. */
  flowCookie(): string | undefined {
    return this.#ctx.cookies.get(cookieNames.flow) || undefined;
  }

  /** The access token of a browser that is on its way; undefined if it has none. */
  accessTokenCookie(): string | undefined {
    return this.#ctx.cookies.get(cookieNames.accessToken) || undefined;
  }

  #cookie(name: string): Result<string | undefined, ForeignOrigin> {
    const value = this.#ctx.cookies.get(name);
    return value === undefined || value === ''
      ? ok(undefined)
      : checkOrigin(this.#ctx, this.#trustedOrigins).map(() => value);
  }
}

/** Accepts exactly one token after the case-insensitive scheme and spaces (RFC 9110 section 11.4, RFC 6750 section 2.1). */
function bearer(authorization: string): Result<Credential, Unauthenticated | MisplacedCredential> {
  const [scheme = '', token = '', ...rest] = authorization.split(/ +/);
  if (isToken(scheme) || isApiToken(token)) return err({ type: 'MisplacedCredential' });
  const wellFormed = scheme.toLowerCase() === 'bearer' && token !== '' && rest.length === 0;
  return wellFormed ? ok({ kind: 'access token', token }) : err(unauthenticated());
}

/** Looks like one of our tokens, valid or not. */
const isToken = (text: string): boolean => isApiToken(text) || /^ey[\w-]+\.[\w-]+\.[\w-]+$/.test(text);
const isApiToken = (text: string): boolean => text.startsWith('zw_');
