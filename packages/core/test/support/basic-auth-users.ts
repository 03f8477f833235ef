import {
  type BasicAuthPasswordHashes,
  type BasicAuthUser,
  BasicAuthUserDraft,
  type BasicAuthUserId,
  type Caller,
  type JsonObject,
  parse,
  type ZoneId,
} from '@zonewright/core';
import { createBasicAuthUser } from '../../src/zones/basic-auth-users/create-basic-auth-user.ts';
import { valueOf } from './outcomes.ts';
import { aWorld, inTables, type World } from './world.ts';
import { anOrganizationWithZone } from './zones.ts';

/** Adds a basic-auth user as a client writes it. */
export const aBasicAuthUser = (
  world: World,
  caller: Caller,
  zone: ZoneId,
  username: string,
  changes: object = {},
): Promise<BasicAuthUser> => {
  const draft = BasicAuthUserDraft.parse({ username, password: 'Secret-1', ...changes });
  return valueOf(createBasicAuthUser(world)(caller, zone, draft));
};

/** The password hash as proxies get it. */
export const hashOf = (world: World, id: BasicAuthUserId): string | undefined =>
  inTables(world, ({ basicAuthUsers }) => basicAuthUsers.get(id)?.hash);

/** A zone without basic-auth users, and `write`, which adds one as a client does. */
export const aWorldWithZoneForUsers = async () => {
  const world = aWorld();
  const arranged = await anOrganizationWithZone(world);
  const write = (body: JsonObject, zone = arranged.zone, caller = arranged.owner) =>
    parse(BasicAuthUserDraft, body).asyncAndThen((draft) => createBasicAuthUser(world)(caller, zone.id, draft));
  return { world, ...arranged, write };
};

/** Password hashing that records its calls. */
export const watchedHashes = (
  hashes: BasicAuthPasswordHashes,
): BasicAuthPasswordHashes & { readonly asked: readonly string[] } => {
  const asked: string[] = [];
  return {
    asked,
    hash: (password) => {
      asked.push(password);
      return hashes.hash(password);
    },
  };
};
