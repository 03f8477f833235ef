import { err, ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Outbox } from '../../kernel/mail/ports.ts';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import { ApiTokenId, type OrganizationId, type ZoneId } from '../../kernel/shared/ids.ts';
import { type InvalidInput, invalidAt, requireNone, type Violation, violation } from '../../kernel/shared/violation.ts';
import { fullMessage, isFull, type Usage } from '../../kernel/usage-limits/usage-limits.ts';
import type { SessionCaller } from '../../organizations/access/caller.ts';
import type { Unauthenticated } from '../../organizations/access/errors.ts';
import { mayIn, requireConfirmed, type Unconfirmed } from '../../organizations/access/permissions.ts';
import {
  defaultTokenPermissions,
  defaultZoneTokenPermissions,
  type TokenPermission,
  tokenPermissions,
} from '../../organizations/access/role.ts';
import type { AuditLog } from '../../organizations/audit/ports.ts';
import { record } from '../../organizations/audit/record.ts';
import type { Accounts, Credentials } from '../accounts/ports.ts';
import { notify } from '../mailing/notify.ts';
import { type ApiToken, type ApiTokenDraft, displayPrefix, newApiToken, type PlainApiToken } from './api-token.ts';
import type { ApiTokenNameTaken, ExpiryInThePast } from './errors.ts';
import type { ApiTokens } from './ports.ts';

interface Repositories {
  readonly accounts: Accounts;
  readonly apiTokens: ApiTokens;
  readonly auditLog: AuditLog;
  readonly credentials: Credentials;
  readonly outbox: Outbox;
}

/** A new token with its secret, which is returned only here. */
export interface CreatedApiToken {
  readonly token: ApiToken;
  /** Show it once; it cannot be read again. */
  readonly plainToken: PlainApiToken;
}

/**
 * Creates an API token for the caller, limited to organizations they belong to and to zones they may read. One that
 * manages organizations outlives a stolen session, so it needs a confirmed one.
 */
export const createApiToken =
  ({
    unitOfWork,
    randomness,
    tokenHashes,
  }: Pick<Dependencies<Repositories>, 'unitOfWork' | 'randomness' | 'tokenHashes'>) =>
  (
    caller: SessionCaller,
    draft: ApiTokenDraft,
  ): ResultAsync<CreatedApiToken, InvalidInput | Unconfirmed | Unauthenticated> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        yield* requireNone(unlimitable(draft));
        if (draft.permissions?.includes('admin') === true) yield* requireConfirmed(caller);
        const { apiTokens, credentials } = repositories;
        const zones = draft.zones && [...new Set(draft.zones)];
        const known = zones === undefined ? noZones : yield* apiTokens.organizationsOf(zones);
        yield* requireNone([...foreignOrganizations(caller, draft), ...unreadableZones(caller, draft, known)]);
        yield* credentials.lockBy(caller.userId, caller.credential.id);
        const active = yield* apiTokens.lockActive(caller.userId);
        if (isFull(active)) return err(tooManyTokens(active));
        const plainToken = newApiToken(randomness);
        const added = apiTokens.add({
          id: ApiTokenId.parse(randomness.uuid()),
          userId: caller.userId,
          hash: tokenHashes.of(plainToken),
          name: draft.name,
          prefix: displayPrefix(plainToken),
          readOnly: draft.readOnly,
          organizations: [...new Set(draft.organizations)],
          permissions: inOrder(draft.permissions ?? defaultPermissions(zones)),
          zones,
          networks: draft.networks && [...new Set(draft.networks)],
          expiresAt: draft.expiresAt ?? undefined,
        });
        const token = yield* added.mapErr(refused);
        yield* record(repositories, caller, 'apiToken.created', { objects: { apiToken: token.id } });
        yield* notify(repositories, caller.userId, 'api-token-created', caller.client);
        return ok({ token, plainToken });
      }),
    );

const defaultPermissions = (zones: readonly ZoneId[] | undefined): readonly TokenPermission[] =>
  zones === undefined ? defaultTokenPermissions : defaultZoneTokenPermissions;

/** Whoever manages members can have them change any zone, so `admin` cannot be limited to some. */
const unlimitable = ({ permissions = [], zones }: ApiTokenDraft): Violation[] =>
  zones !== undefined && permissions.includes('admin')
    ? [violation('permissions', 'apiToken.admin.limited', 'A token that is limited to zones cannot have admin.')]
    : [];

const inOrder = (permissions: readonly TokenPermission[]): readonly TokenPermission[] =>
  tokenPermissions.filter((each) => permissions.includes(each));

const foreignOrganizations = ({ memberships }: SessionCaller, { organizations }: ApiTokenDraft): Violation[] =>
  organizations.flatMap((id, index) =>
    memberships.has(id)
      ? []
      : [violation(`organizations[${index}]`, 'organization.foreign', 'You are not a member of this organization.')],
  );

const noZones: ReadonlyMap<ZoneId, OrganizationId> = new Map();

/** Zones of others and zones that do not exist are refused alike. */
const unreadableZones = (
  caller: SessionCaller,
  { zones = [] }: ApiTokenDraft,
  known: ReadonlyMap<ZoneId, OrganizationId>,
): Violation[] =>
  zones.flatMap((id, index) => {
    const organization = known.get(id);
    const isReadable = organization !== undefined && mayIn(caller, organization, 'zones.read').isOk();
    return isReadable ? [] : [violation(`zones[${index}]`, 'zone.unreadable', 'You cannot read a zone with this id.')];
  });

const tooManyTokens = ({ limit }: Usage): InvalidInput =>
  invalidAt('', 'apiToken.limit', fullMessage('A user', limit, 'active API tokens'));

function refused(error: ApiTokenNameTaken | ExpiryInThePast): InvalidInput {
  switch (error.type) {
    case 'ApiTokenNameTaken':
      return invalidAt('name', 'apiToken.name.duplicate', 'You already have an API token with this name.');
    case 'ExpiryInThePast':
      return invalidAt('expiresAt', 'date.past', 'This value should be in the future.');
  }
}
