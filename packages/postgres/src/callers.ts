import type { ApiTokenId, Membership, OrganizationId } from '@zonewright/core';
import {
  type AuthenticatedCaller,
  type PlausibleCredential,
  type Unauthenticated,
  type UserId,
  unauthenticated,
} from '@zonewright/core';
import { err, ok, type Result, type ResultAsync } from 'neverthrow';
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

/** Columns of an API token. A session needs none: its claims name it and its user. */
interface ApiTokenRow {
  readonly userId: UserId;
  readonly credentialId: ApiTokenId;
  readonly readOnly: boolean;
  readonly scoped: boolean;
  /** Whether the last recorded use is more than a minute ago. */
  readonly unnoted: boolean;
}

/** The caller's columns, returned along with any other result. */
export interface CallerRow extends Partial<ApiTokenRow> {
  readonly memberships?: readonly OwnMembership[];
}

/** A membership of the caller. */
export interface OwnMembership extends Membership {
  readonly organization: OrganizationId;
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
          columns: kind === 'apiToken' ? `${columns},` : '',
          'no-columns': kind === 'apiToken' ? 'NULL, NULL, NULL, NULL, NULL,' : '',
        }),
      ),
    ]),
    // The keys are those of `kinds`.
  ) as Record<A, Statement>;

/**
 * Parts of a statement that lists what is in the caller's organizations: CTEs for the organizations, columns for the
 * caller, and their memberships in the organizations of the page.
 */
export const listPartsFor = (
  kind: PlausibleCredential['kind'],
  { byOrganization }: { readonly byOrganization: boolean },
): { readonly ctes: string; readonly callerColumns: string; readonly shownMemberships: string } => ({
  ctes: `caller AS MATERIALIZED (
  ${callerTexts[kind]}
), allowed AS MATERIALIZED (
  ${memberships} WHERE m.role = ANY (\${roles}) ${byOrganization ? 'AND m.organization_id = ${organization}' : ''}
), own AS (
  SELECT organization FROM allowed WHERE NOT needs_two_factor
)`,
  callerColumns: kind === 'apiToken' ? `, ${columns}` : '',
  shownMemberships: `SELECT ${asJson} FROM allowed ${byOrganization ? '' : 'WHERE organization IN (SELECT organization_id FROM states)'}`,
});

function callerOf(credential: PlausibleCredential, row: CallerRow): AuthenticatedCaller {
  const memberships = new Map(
    (row.memberships ?? []).map(({ organization, ...membership }) => [organization, membership] as const),
  );
  if (credential.kind === 'session') {
    const { kind, userId, sessionId: id } = credential;
    return { userId, credential: { kind, id }, memberships };
  }
  // The statements for API tokens return these columns.
  const { userId, credentialId: id, readOnly, scoped } = row as ApiTokenRow;
  return { userId, credential: { kind: 'apiToken', id, readOnly, scoped }, memberships };
}

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
): ResultAsync<AuthenticatedRow<Row>, Unauthenticated> =>
  authenticatedIn(on, credential, maybe<Row>(on, statement, { ...credential, ...values }));

/** Like `authenticated`, for the row of a statement that returns others too. */
export const authenticatedIn = <Row extends CallerRow>(
  on: Connection,
  credential: PlausibleCredential,
  found: ResultAsync<Row | undefined, never>,
): ResultAsync<AuthenticatedRow<Row>, Unauthenticated> =>
  found.andThen((row): Result<AuthenticatedRow<Row>, Unauthenticated> | ResultAsync<AuthenticatedRow<Row>, never> => {
    if (row === undefined) return err(unauthenticated());
    const authenticated = { caller: callerOf(credential, row), row };
    return row.unnoted === true
      ? run(on, noteUse, { tokenId: row.credentialId }).map(() => authenticated)
      : ok(authenticated);
  });

const noteUse = statementFile('api-tokens/note-use.sql');
const authenticateBy = byCallerKind('callers/recognize.sql', ['session', 'apiToken']);

/** The caller with all memberships that the credential grants. */
export const callerBy = (on: Connection, credential: PlausibleCredential) =>
  authenticated(on, authenticateBy[credential.kind], credential).map(({ caller }) => caller);
