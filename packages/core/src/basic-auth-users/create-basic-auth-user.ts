import { err, ok, okAsync, type Result, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import type { HashingBusy } from '../accounts/errors.ts';
import { recordChange } from '../history/record-change.ts';
import { basicAuthUserMember } from '../history/zone-document.ts';
import type { UnitOfWork } from '../repositories.ts';
import { BasicAuthUserId, type ZoneId } from '../shared/ids.ts';
import type { Randomness } from '../shared/randomness.ts';
import { type InvalidInput, invalidInput, violation } from '../shared/violation.ts';
import { basicAuthUsersPerZone } from '../zones/zone.ts';
import { checkZoneAccess, lockZoneFor, type ZoneAccessError } from '../zones/zone-access.ts';
import { type BasicAuthUser, type BasicAuthUserDraft, type BasicAuthUsername } from './basic-auth-user.ts';
import { givenHash } from './password-hash.ts';
import type { BasicAuthPasswordHashes } from './ports.ts';

interface Ports {
  readonly unitOfWork: UnitOfWork;
  readonly randomness: Randomness;
  readonly basicAuthPasswords: BasicAuthPasswordHashes;
}

export type CreateBasicAuthUserError = ZoneAccessError | InvalidInput | HashingBusy;

export type PrepareBasicAuthUser = (
  caller: Caller,
  zone: ZoneId,
  draft: BasicAuthUserDraft,
) => ResultAsync<BasicAuthUserDraft, CreateBasicAuthUserError>;

/**
 * The slow part of adding a basic-auth user: the draft with its password replaced by a hash of it. A user that could not
 * be added at this moment costs no hash. Nothing is locked or stored.
 */
export const prepareBasicAuthUser =
  ({ unitOfWork, basicAuthPasswords }: Omit<Ports, 'randomness'>): PrepareBasicAuthUser =>
  (caller, zoneId, draft) => {
    if (draft.password === undefined) return okAsync(draft);
    return checkZoneAccess({ unitOfWork })(caller, zoneId, 'basicAuthUsers.write')
      .andThen(() => unitOfWork.view(({ basicAuthUsers }) => basicAuthUsers.all(zoneId)))
      .andThen((users) =>
        requireRoom(
          users.map(({ username }) => username),
          draft,
        ),
      )
      .andThen(() => givenHash(basicAuthPasswords, draft))
      .map((passwordHash) => ({ ...draft, password: undefined, passwordHash }));
  };

export type CreateBasicAuthUser = (
  caller: Caller,
  zone: ZoneId,
  draft: BasicAuthUserDraft,
) => ResultAsync<BasicAuthUser, CreateBasicAuthUserError>;

/**
 * Adds a basic-auth user to a zone. A password that is not hashed yet is hashed before anything is locked; where that
 * must not happen inside a transaction of the caller's, `prepareBasicAuthUser` goes first.
 */
export const createBasicAuthUser =
  (ports: Ports): CreateBasicAuthUser =>
  (caller, zoneId, draft) =>
    prepareBasicAuthUser(ports)(caller, zoneId, draft).andThen((prepared) => add(ports, caller, zoneId, prepared));

const add = (
  { unitOfWork, randomness }: Ports,
  caller: Caller,
  zoneId: ZoneId,
  { username, comment, passwordHash }: BasicAuthUserDraft,
): ResultAsync<BasicAuthUser, ZoneAccessError | InvalidInput> =>
  unitOfWork.run((repositories) =>
    safeTry(async function* () {
      const { basicAuthUsers } = repositories;
      const zone = yield* lockZoneFor(repositories, caller, zoneId, 'basicAuthUsers.write');
      if (passwordHash === undefined) return err(passwordRequired());
      if ((yield* basicAuthUsers.idsIn(zoneId)).size >= basicAuthUsersPerZone) return err(tooManyUsers());
      const id = BasicAuthUserId.parse(randomness.uuid());
      const user = yield* basicAuthUsers.add({ id, zoneId, username, comment }, passwordHash).mapErr(usernameTaken);
      yield* recordChange(repositories, caller, zone, {
        action: 'basicAuthUser.created',
        objects: { basicAuthUser: id },
        before: { basicAuthUsers: {} },
        after: { basicAuthUsers: { [id]: basicAuthUserMember(user) } },
      });
      return ok(user);
    }),
  );

/** Whether there is room for one more user, and the name is free. Only the unit that adds the user knows for sure. */
const requireRoom = (
  taken: readonly BasicAuthUsername[],
  { username }: BasicAuthUserDraft,
): Result<void, InvalidInput> => {
  if (taken.length >= basicAuthUsersPerZone) return err(tooManyUsers());
  return taken.includes(username) ? err(usernameTaken()) : ok();
};

const passwordRequired = () => invalidInput([violation('password', 'member.required', 'This member is required.')]);

const usernameTaken = () =>
  invalidInput([
    violation('username', 'basicAuth.username.duplicate', 'Another user in the zone already has this name.'),
  ]);

const tooManyUsers = () =>
  invalidInput([
    violation('', 'zone.basicAuthUsers.limit', `A zone can have at most ${basicAuthUsersPerZone} basic-auth users.`),
  ]);
