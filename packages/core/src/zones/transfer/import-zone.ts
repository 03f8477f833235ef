import { err, ok, okAsync, type Result, type ResultAsync, safeTry } from 'neverthrow';
import { z } from 'zod';
import type { HashingBusy } from '../../accounts/accounts/errors.ts';
import { defect } from '../../kernel/shared/failures.ts';
import { BasicAuthUserId } from '../../kernel/shared/ids.ts';
import { type JsonObject, objectIn } from '../../kernel/shared/json.ts';
import { parse } from '../../kernel/shared/parse.ts';
import type { Randomness } from '../../kernel/shared/randomness.ts';
import { nameKey } from '../../kernel/shared/text.ts';
import { type InvalidInput, invalidInput, requireNone, under } from '../../kernel/shared/violation.ts';
import {
  decidedHostNames,
  newNames,
  tooManyHostNames,
  withoutRefused,
} from '../../organizations/domains/host-name-rules.ts';
import type { OrganizationNotFound } from '../../organizations/organizations/errors.ts';
import { type BasicAuthPasswordHash, BasicAuthUserDraft } from '../basic-auth/basic-auth-user.ts';
import { tooManyUsers, usernameTaken } from '../basic-auth-users/create-basic-auth-user.ts';
import { contentsPlan, contentsViolations, itemsIn, namedIn, storedContents } from '../drafts/zone-contents.ts';
import { ruleKindNames, ruleListNames } from '../rule-kinds/rule-lists.ts';
import { ruleCapacityIn } from '../rules/rule-validity.ts';
import { changeZone } from '../zone-changes/change-zone.ts';
import { createZone } from '../zone-changes/create-zone.ts';
import { decideWithReferences, mapDecisionError } from '../zone-changes/decision.ts';
import { type HostNameTaking, takeHostNames } from '../zone-changes/take-host-names.ts';
import type { ZoneChange, ZoneCommand } from '../zone-changes/zone-command.ts';
import type { AddedUser, UsersPlan } from '../zone-changes/zone-plan.ts';
import { type Zone, ZoneMembers } from '../zones/zone.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import type { ZoneState } from '../zones/zone-state.ts';
import type { ImportTarget } from './import-target.ts';
import { type Renames, renamedDocument, ruleIdsIn } from './renamed-document.ts';

/** What an import did with a zone, its basic-auth users who still need a password, and what it could not have. */
export interface ImportedZone extends Pick<Zone, 'id' | 'name' | 'tag'> {
  readonly outcome: 'created' | 'updated' | 'unchanged';
  readonly usersWithoutPassword: readonly string[];
  /** Host names of the document that another zone has, or that no domain of the organization covers. */
  readonly hostnamesLeftOut: readonly string[];
}

export type ImportZoneError = ZoneAccessError | OrganizationNotFound | InvalidInput | HashingBusy;

const Names = ZoneMembers.pick({ name: true, tag: true });
type Names = z.output<typeof Names>;
const Users = z.record(z.string(), z.object({ username: z.json(), comment: z.json().optional() }));

/** A zone of a document with the ids that its parts will have, unless the organization has them already. */
interface ZoneToImport {
  readonly names: Names;
  /** Settings and rules, with the ids of the document. */
  readonly contents: JsonObject;
  /** New ones, by their ids in the document. */
  readonly users: ReadonlyMap<string, AddedUser>;
  /** New ids of backends and rules, by those in the document. */
  readonly ids: Renames;
}

/**
 * Creates one zone from a document, within the units of the whole import: the zone, then everything in it at once. With
 * `update`, a zone of the same name and tag gets the contents instead.
 */
export const importZone = (target: ImportTarget, document: JsonObject): ResultAsync<ImportedZone, ImportZoneError> =>
  safeTry(async function* () {
    const { dependencies, caller, organization, options } = target;
    const zone = yield* zoneToImport(target, document);
    const present = options.update ? yield* namesakeOf(target, zone.names) : undefined;
    const draft = {
      ...zone.names,
      organization,
      hostnames: [],
      zone_settings: ZoneMembers.shape.zone_settings.parse({}),
    };
    const { id } = present ?? (yield* createZone(dependencies)(caller, draft));
    const { before, after, change } = yield* changeZone(dependencies.unitOfWork, caller, id, filling(zone));
    const old = new Set(before.users.map(({ username }) => username));
    return ok({
      id,
      ...zone.names,
      outcome: outcomeOf(present !== undefined, before !== after),
      usersWithoutPassword: after.users.flatMap(({ username }) => (old.has(username) ? [] : [username])),
      hostnamesLeftOut: change.hostnamesLeftOut,
    });
  });

function outcomeOf(existed: boolean, isChanged: boolean): ImportedZone['outcome'] {
  if (!existed) return 'created';
  return isChanged ? 'updated' : 'unchanged';
}

/** Parses the outer parts of a zone document and chooses new ids. */
const zoneToImport = (
  { dependencies: { randomness }, ids }: ImportTarget,
  { name, tag, basicAuthUsers = {}, ...contents }: JsonObject,
): Result<ZoneToImport, InvalidInput> =>
  safeTry(function* () {
    const names = yield* parse(Names, { name, tag });
    const written = yield* parse(Users, basicAuthUsers).mapErr(under('basicAuthUsers'));
    const users = new Map<string, AddedUser>();
    for (const [key, user] of Object.entries(written)) {
      const added = yield* userToAdd(randomness, user).mapErr(under(`basicAuthUsers.${key}`));
      if ([...users.values()].some(({ username }) => username === added.username)) {
        return err(under(`basicAuthUsers.${key}`)(usernameTaken()));
      }
      users.set(key, added);
    }
    const rules = ruleIdsIn(contents).map((rule) => [rule, randomness.uuid()] as const);
    return ok({ names, contents, users, ids: new Map([...ids, ...rules]) });
  });

const userToAdd = (randomness: Randomness, user: z.infer<typeof Users>[string]): Result<AddedUser, InvalidInput> =>
  parse(BasicAuthUserDraft, { ...user, passwordHash: hashOfNoPassword(randomness) }).map(
    ({ username, comment, passwordHash }) => ({
      id: BasicAuthUserId.parse(randomness.uuid()),
      username,
      comment,
      // It has just been set.
      hash: passwordHash as BasicAuthPasswordHash,
    }),
  );

/** A random bcrypt hash, which no known password matches. */
const hashOfNoPassword = (randomness: Randomness): string => `$2y$10$${randomness.base62(53)}`;

/** The zone of the organization with the same name and tag. */
const namesakeOf = (
  { dependencies: { unitOfWork }, organization }: ImportTarget,
  { name, tag }: Names,
): ResultAsync<Zone | undefined, never> => {
  const filter = { organizations: [organization], tags: [tag], search: name };
  // The search also matches longer names: one zone at a time, because a page of several may be too large.
  const from = (page: number): ResultAsync<Zone | undefined, never> =>
    unitOfWork
      .view(({ zones }) => zones.list(filter, [{ key: 'name', direction: 'asc' }], { page, itemsPerPage: 1 }))
      .orElse(() => defect('A page of one zone is too large.'))
      .andThen(({ items: [zone] }) =>
        zone === undefined || nameKey(zone.name) === nameKey(name) ? okAsync(zone) : from(page + 1),
      );
  return from(1);
};

/** An import's change of a zone, with the host names that it leaves out. */
interface Filling extends ZoneChange {
  readonly hostnamesLeftOut: readonly string[];
}

/**
 * Gives a zone the host names, settings, rules and users of the document, if they are consistent. What the zone has by the same
 * name keeps its id; users that the document lacks stay, because their passwords could not be restored.
 */
const filling = (zone: ZoneToImport): ZoneCommand<InvalidInput, Filling, HostNameTaking> => ({
  permission: ['zones.write', 'basicAuthUsers.write'],
  takeHostNames,
  decide: (basis) => {
    const { state, limits } = basis;
    const added = [...zone.users.values()].filter(
      ({ username }) => !state.users.some((user) => user.username === username),
    );
    if (added.length > 0 && state.users.length + added.length > limits.basicAuthUsers) return err(tooManyUsers(limits));
    const renames = renamesIn(state, zone);
    const { hostnames: held } = state.zone;
    // Documents of older versions do not say which host names a zone has.
    return storedContents({ hostnames: held, ...renamedDocument(zone.contents, renames) })
      .andThen((contents) => {
        const hostNames = newNames(contents.hostnames, held);
        return decideWithReferences(state, { settings: namedIn(contents), hostNames }, (targets, resolved) => {
          const users = new Set([...targets.users, ...added.map(({ id }) => id)]);
          const around = { name: state.zone.name, ...ruleCapacityIn(basis) };
          const facts = resolved?.hostNames;
          const decided = decidedHostNames(contents.hostnames, { held, limits, facts });
          const { names: hostnames, claims } = withoutRefused(decided);
          return requireNone([
            ...tooManyHostNames(hostnames, held, limits),
            ...contentsViolations({ ...contents, hostnames }, around, { ...targets, users }),
          ]).map(() => ({
            plan: {
              ...contentsPlan(state, { ...contents, hostnames, claims }),
              ...(added.length > 0 && { users: usersPlan(added) }),
            },
            action: 'zone.imported' as const,
            objects: {},
            hostnamesLeftOut: decided.refused,
          }));
        });
      })
      .mapErr(withOldNames(renames))
      .map(mapDecisionError(withOldNames(renames)));
  },
});

const usersPlan = (added: readonly AddedUser[]): UsersPlan => ({ added, changed: [], removed: [] });

/** The ids of everything that the document refers to, as they are or will be in the zone. */
function renamesIn({ users, rules }: ZoneState, zone: ZoneToImport): Renames {
  const userIds = [...zone.users].map(([key, { id, username }]) => {
    const present = users.find((user) => user.username === username);
    return [key, present?.id ?? id] as const;
  });
  const ruleIds = ruleKindNames.flatMap((kind) => {
    const present = new Map(rules[kind].map(({ id, content }) => [nameKey(content.value.name), id]));
    return Object.entries(itemsIn(zone.contents[ruleListNames[kind]])).flatMap(([key, rule]) => {
      const { name } = objectIn(rule);
      const id = typeof name === 'string' ? present.get(nameKey(name)) : undefined;
      return id === undefined ? [] : [[key, id] as const];
    });
  });
  return new Map([...zone.ids, ...userIds, ...ruleIds]);
}

/** Reports violations with the ids of the document. */
const withOldNames =
  (renames: Renames) =>
  ({ violations }: InvalidInput): InvalidInput => {
    const old = new Map([...renames].map(([from, to]) => [to, from]));
    const path = (text: string) => text.replaceAll(/[0-9a-f-]{36}/g, (id) => old.get(id) ?? id);
    return invalidInput(violations.map((each) => ({ ...each, propertyPath: path(each.propertyPath) })));
  };
