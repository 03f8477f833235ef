import { ok, type ResultAsync, safeTry } from 'neverthrow';
import { z } from 'zod';
import type { HashingBusy } from '../accounts/errors.ts';
import { type BasicAuthUser, BasicAuthUserDraft } from '../basic-auth/basic-auth-user.ts';
import { createBasicAuthUser } from '../basic-auth-users/create-basic-auth-user.ts';
import {
  contentsPlan,
  contentsViolations,
  namedIn,
  storedContents,
  type ZoneContents,
} from '../drafts/zone-contents.ts';
import type { OrganizationNotFound } from '../organizations/errors.ts';
import { ruleCapacityIn } from '../rules/rule-validity.ts';
import { RuleId, type ZoneId } from '../shared/ids.ts';
import type { JsonObject } from '../shared/merge-patch.ts';
import { parse } from '../shared/parse.ts';
import type { Randomness } from '../shared/randomness.ts';
import { type InvalidInput, invalidInput, requireNone, under } from '../shared/violation.ts';
import { changeZone } from '../zone-changes/change-zone.ts';
import { decideWithReferences } from '../zone-changes/decision.ts';
import type { ZoneCommand } from '../zone-changes/zone-command.ts';
import { createZone } from '../zones/create-zone.ts';
import { type Zone, ZoneMembers } from '../zones/zone.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import type { ImportTarget } from './import-target.ts';
import { type Renames, renamedDocument, ruleIdsIn } from './renamed-document.ts';

/** A created zone, with the basic-auth users who still need a password. */
export interface ImportedZone extends Pick<Zone, 'id' | 'name' | 'tag'> {
  readonly usersWithoutPassword: readonly string[];
}

export type ImportZoneError = ZoneAccessError | OrganizationNotFound | InvalidInput | HashingBusy;

const Names = ZoneMembers.pick({ name: true, tag: true });
const Users = z.record(z.string(), z.object({ username: z.json(), comment: z.json().optional() }));

/**
 * Creates one zone from a document, within the units of the whole import: the zone, its basic-auth users, then
 * everything else at once.
 */
export const importZone = (target: ImportTarget, document: JsonObject): ResultAsync<ImportedZone, ImportZoneError> =>
  safeTry(async function* () {
    const { dependencies, caller, organization } = target;
    const { name, tag, basicAuthUsers = {}, ...contents } = document;
    const names = yield* parse(Names, { name, tag });
    const users = yield* parse(Users, basicAuthUsers).mapErr(under('basicAuthUsers'));
    const draft = { ...names, organization, zone_settings: ZoneMembers.shape.zone_settings.parse({}) };
    const { id } = yield* createZone(dependencies)(caller, draft);
    const renames = new Map(target.ids);
    const usersWithoutPassword: string[] = [];
    for (const [key, user] of Object.entries(users)) {
      const added = yield* importUser(target, id, key, user);
      renames.set(key, added.id);
      usersWithoutPassword.push(added.username);
    }
    for (const rule of ruleIdsIn(contents)) renames.set(rule, RuleId.parse(dependencies.randomness.uuid()));
    const renamed = yield* storedContents(renamedDocument(contents, renames)).mapErr(withOldNames(renames));
    yield* changeZone(dependencies.unitOfWork, caller, id, filling(renamed)).mapErr(withOldNames(renames));
    return ok({ id, ...names, usersWithoutPassword });
  });

const importUser = (
  { dependencies, caller }: ImportTarget,
  zone: ZoneId,
  key: string,
  user: z.infer<typeof Users>[string],
): ResultAsync<BasicAuthUser, ImportZoneError> =>
  parse(BasicAuthUserDraft, { ...user, passwordHash: hashOfNoPassword(dependencies.randomness) })
    .mapErr(under(`basicAuthUsers.${key}`))
    .asyncAndThen((draft) => createBasicAuthUser(dependencies)(caller, zone, draft));

/** A random bcrypt hash, which no known password matches. */
const hashOfNoPassword = (randomness: Randomness): string => `$2y$10$${randomness.base62(53)}`;

/** Sets the settings and rules of a new zone, if they are consistent. */
const filling = (contents: ZoneContents): ZoneCommand<InvalidInput> => ({
  permission: 'zones.write',
  decide: (basis) => {
    const { state } = basis;
    const zone = { name: state.zone.name, ...ruleCapacityIn(basis) };
    return decideWithReferences(state, { settings: namedIn(contents) }, (referents) =>
      requireNone(contentsViolations(contents, zone, referents)).map(() => ({
        plan: contentsPlan(state, contents),
        action: 'zone.imported',
        objects: {},
      })),
    );
  },
});

/** Reports violations with the ids of the document. */
const withOldNames =
  (renames: Renames) =>
  <E extends { readonly type: string }>(error: E): E | InvalidInput => {
    if (!isInvalidInput(error)) return error;
    const old = new Map([...renames].map(([from, to]) => [to, from]));
    const path = (text: string) => text.replaceAll(/[0-9a-f-]{36}/g, (id) => old.get(id) ?? id);
    return invalidInput(error.violations.map((each) => ({ ...each, propertyPath: path(each.propertyPath) })));
  };

const isInvalidInput = (error: { readonly type: string }): error is InvalidInput => error.type === 'InvalidInput';
