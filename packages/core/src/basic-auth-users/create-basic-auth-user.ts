import { err, ok, type ResultAsync, safeTry } from 'neverthrow';
import { recordChange } from '../history/record-change.ts';
import { basicAuthUserMember } from '../history/zone-document.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { Caller } from '../sessions/caller.ts';
import { BasicAuthUserId, type ZoneId } from '../shared/ids.ts';
import type { Randomness } from '../shared/randomness.ts';
import { type InvalidInput, invalidInput, violation } from '../shared/violation.ts';
import { checkZoneAccess, lockZoneFor, type ZoneAccessError } from '../zones/zone-access.ts';
import { type BasicAuthUser, type BasicAuthUserDraft, basicAuthUsersPerZone } from './basic-auth-user.ts';
import { givenHash } from './password-hash.ts';
import type { BasicAuthPasswordHashes } from './ports.ts';

interface Ports {
  readonly unitOfWork: UnitOfWork;
  readonly randomness: Randomness;
  readonly basicAuthPasswords: BasicAuthPasswordHashes;
}

export type CreateBasicAuthUser = (
  caller: Caller,
  zone: ZoneId,
  draft: BasicAuthUserDraft,
) => ResultAsync<BasicAuthUser, ZoneAccessError | InvalidInput>;

/** Adds a basic-auth user to a zone. The password is hashed before anything is locked. */
export const createBasicAuthUser =
  ({ unitOfWork, randomness, basicAuthPasswords }: Ports): CreateBasicAuthUser =>
  (caller, zoneId, draft) =>
    checkZoneAccess({ unitOfWork })(caller, zoneId, 'basicAuthUsers.write')
      .andThen(() => givenHash(basicAuthPasswords, draft))
      .andThen((hash) =>
        unitOfWork.run((repositories) =>
          safeTry(async function* () {
            const { basicAuthUsers } = repositories;
            const zone = yield* lockZoneFor(repositories, caller, zoneId, 'basicAuthUsers.write');
            if (hash === undefined) return err(passwordRequired());
            const { size } = yield* basicAuthUsers.idsIn(zoneId);
            if (size >= basicAuthUsersPerZone) return err(tooManyUsers());
            const { username, comment } = draft;
            const id = BasicAuthUserId.parse(randomness.uuid());
            const user = yield* basicAuthUsers.add({ id, zoneId, username, comment }, hash).mapErr(usernameTaken);
            yield* recordChange(repositories, caller, zone, {
              action: 'basicAuthUser.created',
              objects: { basicAuthUser: id },
              before: { basicAuthUsers: {} },
              after: { basicAuthUsers: { [id]: basicAuthUserMember(user) } },
            });
            return ok(user);
          }),
        ),
      );

const passwordRequired = () => invalidInput([violation('password', 'member.required', 'This member is required.')]);

const usernameTaken = () =>
  invalidInput([violation('username', 'basicAuth.username.duplicate', 'Another user of the zone has this name.')]);

const tooManyUsers = () =>
  invalidInput([
    violation('', 'zone.basicAuthUsers.limit', `A zone holds at most ${basicAuthUsersPerZone} basic-auth users.`),
  ]);
