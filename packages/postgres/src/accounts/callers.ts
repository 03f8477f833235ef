import {
  type ApiTokenId,
  type AuthenticatedCaller,
  type CallerError,
  type ConfirmationMethod,
  confirmableBy,
  confirmationSeconds,
  type ForeignNetwork,
  foreignNetwork,
  isUsableFrom,
  lastUsePrecisionSeconds,
  type Membership,
  networkOfUse,
  type OrganizationId,
  type PlausibleCredential,
  type ProviderId,
  type SessionId,
  type TokenLimits,
  type TokenNetwork,
  type UserId,
  unauthenticated,
  type ZoneId,
} from '@zonewright/core';
import { err, ok, type Result, type ResultAsync } from 'neverthrow';
import type { Connection } from '../connection/database.ts';
import { maybe, run } from '../connection/query.ts';
import type { Statement } from '../connection/statement.ts';
import { requirement } from '../organizations/memberships.ts';
import { sql } from '../sql.ts';

interface SessionFacts {
  /** The identity provider that the user signed in by. */
  readonly provider: string | null;
  readonly confirmed: boolean;
  /** Whether the password confirms the session. */
  readonly byPassword: boolean;
  /** Whether a code confirms the session. */
  readonly byCode: boolean;
  /** Whether a passkey confirms the session: only confirmed sessions add any. */
  readonly byPasskey: boolean;
}

/** The columns of the caller, returned along with any other result. */
export interface CallerRow {
  readonly userId: UserId;
  readonly credentialId: SessionId | ApiTokenId;
  readonly readOnly: boolean;
  /** Whether the credential is limited to some organizations. */
  readonly scoped: boolean;
  /** What an API token is limited to, with null for undefined; null for a session. */
  readonly tokenLimits: StoredTokenLimits | null;
  /** Whether the use of an API token is to be recorded. */
  readonly unnoted: boolean;
  /** What is known of a session; of no meaning for API tokens. */
  readonly session: SessionFacts;
  /** All that the credential grants. */
  readonly memberships: readonly GrantedMembership[];
}

/** The limits of a token as JSON. */
interface StoredTokenLimits {
  readonly permissions: TokenLimits['permissions'];
  readonly zones: readonly ZoneId[] | null;
  readonly networks: readonly TokenNetwork[] | null;
}

/** A membership of the caller. */
export interface GrantedMembership extends Omit<Membership, 'requiredProvider'> {
  readonly organization: OrganizationId;
  readonly requiredProvider: ProviderId | null;
}

/** The parameters of a statement that authenticates; those of the other kind of credential match nothing. */
export const credentialValues = (credential: PlausibleCredential | undefined): Readonly<Record<string, unknown>> => ({
  sessionId: credential?.kind === 'session' ? credential.sessionId : null,
  userId: credential?.kind === 'session' ? credential.userId : null,
  hash: credential?.kind === 'apiToken' ? credential.hash : null,
  usePrecisionSeconds: lastUsePrecisionSeconds,
  confirmationSeconds,
});

function callerOf(credential: PlausibleCredential, row: CallerRow): Result<AuthenticatedCaller, ForeignNetwork> {
  const { userId, credentialId, readOnly, scoped, tokenLimits } = row;
  const memberships = new Map(
    row.memberships.map(
      ({ organization, requiredProvider, ...membership }) =>
        [organization, { ...membership, ...requirement({ requiredProvider }) }] as const,
    ),
  );
  if (credential.kind === 'session' || tokenLimits === null) {
    // The row is that of the credential.
    const id = credentialId as SessionId;
    return ok({ userId, credential: { kind: 'session', id, ...confirmationOf(row.session) }, memberships });
  }
  // The row is that of the credential.
  const id = credentialId as ApiTokenId;
  const { permissions, zones, networks } = tokenLimits;
  if (!isUsableFrom(networks ?? undefined, credential.address)) return err(foreignNetwork(userId, id));
  const token = { kind: credential.kind, id, readOnly, scoped, permissions, zones: zones ?? undefined };
  return ok({ userId, credential: token, memberships });
}

const confirmationOf = ({ provider, confirmed, byPassword, byCode, byPasskey }: SessionFacts) => {
  const methods: readonly ConfirmationMethod[] = [
    ...(byPassword ? ['password' as const] : []),
    ...(byCode ? ['code' as const] : []),
    ...(byPasskey ? ['passkey' as const] : []),
  ];
  return { provider: provider ?? undefined, confirmed, confirmableBy: confirmableBy(methods) };
};

/** A caller, with the row that the statement returned. */
export interface AuthenticatedRow<Row> {
  readonly caller: AuthenticatedCaller;
  readonly row: Row;
}

/**
 * The caller and its row. The use of an API token is recorded at most once a minute, by a separate statement: reads
 * must not wait for writes.
 */
export const authenticated = <Row extends CallerRow>(
  on: Connection,
  statement: Statement,
  credential: PlausibleCredential,
  values: Readonly<Record<string, unknown>> = {},
): ResultAsync<AuthenticatedRow<Row>, CallerError> =>
  authenticatedIn(on, credential, maybe<Row>(on, statement, { ...credentialValues(credential), ...values }));

/** Like `authenticated`, for the row of a statement that returns others too. */
export const authenticatedIn = <Row extends CallerRow>(
  on: Connection,
  credential: PlausibleCredential,
  result: ResultAsync<Row | undefined, never>,
): ResultAsync<AuthenticatedRow<Row>, CallerError> =>
  result.andThen((row): Result<AuthenticatedRow<Row>, CallerError> | ResultAsync<AuthenticatedRow<Row>, never> => {
    if (row === undefined) return err(unauthenticated());
    const authenticated = callerOf(credential, row).map((caller) => ({ caller, row }));
    if (authenticated.isErr() || !row.unnoted) return authenticated;
    return noteUse(on, credential, row).map(() => authenticated.value);
  });

const noteUse = (
  on: Connection,
  credential: PlausibleCredential,
  { credentialId }: CallerRow,
): ResultAsync<void, never> =>
  run(on, sql.apiTokens.noteUse, {
    tokenId: credentialId,
    network: (credential.kind === 'apiToken' ? networkOfUse(credential.address) : undefined) ?? null,
    usePrecisionSeconds: lastUsePrecisionSeconds,
  });

/** The caller with all memberships that the credential grants. */
export const callerBy = (on: Connection, credential: PlausibleCredential) =>
  authenticated(on, sql.callers.authenticate, credential).map(({ caller }) => caller);
