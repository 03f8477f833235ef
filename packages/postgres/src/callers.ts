import type { ApiTokenId, Membership, OrganizationId, SessionId } from '@zonewright/core';
import {
  type AuthenticatedCaller,
  type PlausibleCredential,
  type Unauthenticated,
  type UserId,
  unauthenticated,
} from '@zonewright/core';
import { err, ok, okAsync, type Result, type ResultAsync } from 'neverthrow';
import type { Connection } from './database.ts';
import { maybe, run } from './query.ts';
import { filled, type Statement, statement, statementFile, statementText } from './statement.ts';

/** How a statement identifies the caller: by credential, or as already known. */
export type CallerKind = PlausibleCredential['kind'] | 'known';

const callerTexts: Readonly<Record<CallerKind, string>> = {
  session: statementText('callers/session.sql'),
  apiToken: statementText('callers/api-token.sql'),
  known: statementText('callers/known.sql'),
};
const memberships = statementText('callers/memberships.sql').trim();
const columns = statementText('callers/columns.sql').trim();
const asJson = statementText('callers/memberships-as-json.sql').trim();

/** The caller's columns, returned along with any other result. */
export interface CallerRow {
  readonly userId: UserId;
  readonly credentialId: string;
  readonly readOnly: boolean;
  readonly scoped: boolean;
  /** Whether the last recorded use of an API token is more than a minute ago. */
  readonly unnoted: boolean;
  readonly memberships?: readonly (Membership & { readonly organization: OrganizationId })[];
}

/** Creates one statement per kind of caller. */
export const byCallerKind = <A extends CallerKind>(path: string, kinds: readonly A[]): Readonly<Record<A, Statement>> =>
  Object.fromEntries(
    kinds.map((kind) => [
      kind,
      statement(
        `${path.replace(/\.sql$/, '')} ${kind}`,
        filled(statementText(path), {
          caller: callerTexts[kind],
          memberships,
          'memberships-as-json': asJson,
          columns: kind === 'known' ? '' : `${columns},`,
          'no-columns': kind === 'known' ? '' : 'NULL, NULL, NULL, NULL, NULL,',
        }),
      ),
    ]),
    // The keys are those of `kinds`.
  ) as Record<A, Statement>;

/**
 * Parts of a statement that lists what is in the caller's organizations: CTEs for the organizations, and columns for
 * the caller.
 */
export const listPartsFor = (
  kind: PlausibleCredential['kind'],
  { byOrganization }: { readonly byOrganization: boolean },
): { readonly ctes: string; readonly callerColumns: string } => ({
  ctes: `caller AS MATERIALIZED (
  ${callerTexts[kind]}
), allowed AS MATERIALIZED (
  ${memberships} WHERE m.role = ANY (\${roles}) ${byOrganization ? 'AND m.organization_id = ${organization}' : ''}
), own AS (
  SELECT organization FROM allowed WHERE NOT needs_two_factor
)`,
  callerColumns: `, ${columns}, (
  SELECT ${asJson} FROM allowed ${byOrganization ? '' : 'WHERE organization IN (SELECT organization_id FROM states)'}
) AS "memberships"`,
});

const callerOf = (kind: PlausibleCredential['kind'], row: CallerRow): AuthenticatedCaller => ({
  userId: row.userId,
  credential:
    kind === 'session'
      ? // The kind determines which table the id is from.
        { kind, id: row.credentialId as SessionId }
      : // Likewise.
        { kind, id: row.credentialId as ApiTokenId, readOnly: row.readOnly, scoped: row.scoped },
  memberships: new Map(
    (row.memberships ?? []).map(({ organization, ...membership }) => [organization, membership] as const),
  ),
});

interface AuthenticatedRow<Row> {
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
): ResultAsync<AuthenticatedRow<Row>, Unauthenticated> =>
  authenticatedIn(on, credential, maybe<Row>(on, statement, { ...credential, ...values }));

/** Like `recognized`, for the row of a statement that returns others too. */
export const authenticatedIn = <Row extends CallerRow>(
  on: Connection,
  credential: PlausibleCredential,
  found: ResultAsync<Row | undefined, never>,
): ResultAsync<AuthenticatedRow<Row>, Unauthenticated> =>
  found
    .andThen((row): Result<Row, Unauthenticated> => (row === undefined ? err(unauthenticated()) : ok(row)))
    .andThrough((row) => (row.unnoted ? run(on, noteUse, { tokenId: row.credentialId }) : okAsync()))
    .map((row) => ({ caller: callerOf(credential.kind, row), row }));

const noteUse = statementFile('api-tokens/note-use.sql');
const authenticateBy = byCallerKind('callers/recognize.sql', ['session', 'apiToken']);

/** The caller with all memberships that the credential grants. */
export const callerBy = (on: Connection, credential: PlausibleCredential) =>
  authenticated(on, authenticateBy[credential.kind], credential).map(({ caller }) => caller);
