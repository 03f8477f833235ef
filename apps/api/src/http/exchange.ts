import type {
  Caller,
  Client,
  EdgeIdentity,
  LimitStatus,
  PlausibleCredential,
  StorageSession,
  Subject,
  UserId,
} from '@zonewright/core';
import type { Context } from 'koa';
import { okAsync, type ResultAsync } from 'neverthrow';
import { clientAddress, clientNetwork, type TrustedProxies } from './client-address.ts';
import { RequestCredentials } from './credentials.ts';

/** Unlike elsewhere, the network of an HTTP client is always known. */
export type HttpClient = Client & { readonly network: string };

/** A request on its way through the steps of the handler, and what they have found out about it. */
export interface Exchange {
  readonly ctx: Context;
  readonly client: HttpClient;
  /** The full address of the client; never stored. */
  readonly address: string | undefined;
  readonly credentials: RequestCredentials;
  /** What the request is about, if its route says so. */
  subject: Subject | undefined;
  /** Where the credential comes from: failures count against it. */
  source: readonly string[] | undefined;
  /** An API token, as it was presented. */
  secret: string | undefined;
  /** Set as soon as a plausible credential is presented. */
  credential: PlausibleCredential | undefined;
  /** The storage of the request of a caller. */
  storage: StorageSession | undefined;
  /** Set as soon as the credential is authenticated. */
  caller: Caller | undefined;
  /** Set as soon as the key of an edge is authenticated. */
  edge: EdgeIdentity | undefined;
  /** Whether points of the caller's general budgets were taken. */
  isAdmitted: boolean;
  /** How long a request thread has worked for it. */
  threadMilliseconds: number;
  /** What its answer is worth besides the point of every request. */
  answerPoints: number;
  /** The size of a body that was forwarded to a request thread instead of being parsed. */
  forwardedBytes: number;
  /** The account that an unauthenticated request targets, if it exists; only known once the body is read. */
  target: () => ResultAsync<UserId | undefined, never>;
  /** The limits reported in header fields so far. */
  limits: readonly LimitStatus[];
  /** Releases the memory of the work in progress. */
  readonly reserved: (() => void)[];
}

/** Begins the exchange of a request. */
export const exchangeOf = (
  ctx: Context,
  { trustedProxies, trustedOrigins }: { trustedProxies: TrustedProxies; trustedOrigins: ReadonlySet<string> },
): Exchange => ({
  ctx,
  address: clientAddress(ctx.req, trustedProxies),
  client: {
    network: clientNetwork(ctx.req, trustedProxies),
    userAgent: ctx.get('User-Agent').slice(0, 200) || undefined,
  },
  credentials: new RequestCredentials(ctx, trustedOrigins),
  subject: undefined,
  source: undefined,
  secret: undefined,
  credential: undefined,
  storage: undefined,
  caller: undefined,
  edge: undefined,
  isAdmitted: false,
  threadMilliseconds: 0,
  answerPoints: 0,
  forwardedBytes: 0,
  target: () => okAsync(undefined),
  limits: [],
  reserved: [],
});
