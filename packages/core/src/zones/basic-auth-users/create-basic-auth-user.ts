import { err, ok, okAsync, type ResultAsync } from 'neverthrow';
import type { HashingBusy } from '../../accounts/accounts/errors.ts';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import { BasicAuthUserId, type ZoneId } from '../../kernel/shared/ids.ts';
import { type InvalidInput, invalidAt } from '../../kernel/shared/violation.ts';
import { fullMessage, type UsageLimits } from '../../kernel/usage-limits/usage-limits.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import type { BasicAuthUser, BasicAuthUserDraft } from '../basic-auth/basic-auth-user.ts';
import { changeZone, tryChange, type ZoneChangeRepositories } from '../zone-changes/change-zone.ts';
import type { ZoneCommand } from '../zone-changes/zone-command.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import type { BasicAuthPasswordHashes } from './ports.ts';
import { userAfter } from './user-in-zone.ts';

type Ports = Pick<Dependencies<ZoneChangeRepositories>, 'unitOfWork' | 'randomness'> & {
  readonly basicAuthPasswords: BasicAuthPasswordHashes;
};

export type CreateBasicAuthUserError = ZoneAccessError | InvalidInput | HashingBusy;

/**
 * The slow part of adding a basic-auth user: replaces the draft's password with its hash. A user that could not be
 * added right now is rejected before hashing. Locks and stores nothing.
 */
export const prepareBasicAuthUser =
  ({ unitOfWork, randomness, basicAuthPasswords }: Ports) =>
  (
    caller: Caller,
    zoneId: ZoneId,
    draft: BasicAuthUserDraft,
  ): ResultAsync<BasicAuthUserDraft, CreateBasicAuthUserError> => {
    const { password } = draft;
    if (password === undefined) return okAsync(draft);
    return tryChange(unitOfWork, caller, zoneId, userCreation(BasicAuthUserId.parse(randomness.uuid()), draft))
      .andThen(() => basicAuthPasswords.hash(password))
      .map((passwordHash) => ({ ...draft, password: undefined, passwordHash }));
  };

/**
 * Adds a basic-auth user to a zone. A plain password is hashed before anything is locked. A caller that must not hash
 * inside its own transaction calls `prepareBasicAuthUser` first.
 */
export const createBasicAuthUser =
  (ports: Ports) =>
  (caller: Caller, zoneId: ZoneId, draft: BasicAuthUserDraft): ResultAsync<BasicAuthUser, CreateBasicAuthUserError> =>
    prepareBasicAuthUser(ports)(caller, zoneId, draft).andThen((prepared) => {
      const id = BasicAuthUserId.parse(ports.randomness.uuid());
      return changeZone(ports.unitOfWork, caller, zoneId, userCreation(id, prepared)).andThen(userAfter(id));
    });

/** The command that adds a user with a hash; for a plain password it only checks whether the user could be added. */
const userCreation = (
  id: BasicAuthUserId,
  { username, comment, password, passwordHash: hash }: BasicAuthUserDraft,
): ZoneCommand<InvalidInput> => ({
  permission: 'basicAuthUsers.write',
  decide: ({ state: { users }, limits }) => {
    if (password === undefined && hash === undefined) return err(passwordRequired());
    if (users.length >= limits.basicAuthUsers) return err(tooManyUsers(limits));
    if (users.some((user) => user.username === username)) return err(usernameTaken());
    const plan =
      hash === undefined ? {} : { users: { added: [{ id, username, comment, hash }], changed: [], removed: [] } };
    return ok({ decided: { plan, action: 'basicAuthUser.created', objects: { basicAuthUser: id } } });
  },
});

const passwordRequired = () => invalidAt('password', 'member.required', 'This member is required.');

/** Another basic-auth user has the name. */
export const usernameTaken = () =>
  invalidAt('username', 'basicAuth.username.duplicate', 'Another user in the zone already has this name.');

/** A zone has, or would have, more basic-auth users than the limit allows. */
export const tooManyUsers = ({ basicAuthUsers }: UsageLimits) =>
  invalidAt('', 'zone.basicAuthUsers.limit', fullMessage('A zone', basicAuthUsers, 'basic-auth users'));
