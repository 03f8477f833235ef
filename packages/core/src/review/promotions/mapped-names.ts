import type { Result } from 'neverthrow';
import { BasicAuthUserId } from '../../kernel/shared/ids.ts';
import { type JsonObject, objectIn } from '../../kernel/shared/json.ts';
import { nameKey } from '../../kernel/shared/text.ts';
import {
  type InvalidInput,
  requireNone,
  type Violation,
  violation,
  violationsUnder,
} from '../../kernel/shared/violation.ts';
import type { Backend } from '../../organizations/backends/backend.ts';
import type { BackendId, BackendKind, BackendReference } from '../../organizations/backends/backend-reference.ts';
import type { ZoneDocument } from '../../zones/history/zone-document.ts';
import { rulesIn } from './document-rules.ts';
import type { PromotionDraft } from './promotion-draft.ts';

/** The references of the source, mapped to the target; anything missing stays unchanged. */
export interface MappedNames {
  readonly backends: ReadonlyMap<BackendId, BackendReference>;
  readonly users: ReadonlyMap<BasicAuthUserId, BasicAuthUserId>;
}

/** A backend of the organization. */
export interface NamedBackend extends Pick<Backend, 'id' | 'name'> {
  readonly kind: BackendKind;
}

/** The documents and backends in which names are resolved. */
export interface KnownNames {
  /** The document of the source that is being promoted. */
  readonly source: ZoneDocument;
  /** An earlier document of the source, whose users may no longer exist. */
  readonly earlier: ZoneDocument | undefined;
  readonly target: ZoneDocument;
  readonly backends: readonly NamedBackend[];
}

/**
 * Resolves the names that a promotion maps. Violations are names that do not resolve, and users of the source's rules
 * that the target lacks; paths start at the request.
 */
export const mappedNames = (known: KnownNames, map: PromotionDraft['map']): Result<MappedNames, InvalidInput> =>
  requireNone([
    ...violationsUnder('map.backends', unknownBackends(known.backends, map.backends)),
    ...violationsUnder('map.basicAuthUsers', unknownUsers(known, map.basicAuthUsers)),
  ]).map(() => ({
    backends: mappedBackends(known.backends, map.backends),
    users: mappedUsers(known, map.basicAuthUsers),
  }));

/** Names in the source, with those in the target. */
type Names = Readonly<Record<string, string>>;

const called = (backends: readonly NamedBackend[], name: string): readonly NamedBackend[] =>
  backends.filter((backend) => nameKey(backend.name) === nameKey(name));

const unknownBackends = (all: readonly NamedBackend[], names: Names): readonly Violation[] =>
  Object.entries(names)
    .filter((pair) => pair.some((name) => called(all, name).length === 0))
    .map(([from]) => violation(from, 'backend.unknown', 'The organization has no such backend.'));

/** Backend names are unique per kind: if two backends share a name, the one of the source's kind is meant. */
const mappedBackends = (all: readonly NamedBackend[], names: Names): MappedNames['backends'] =>
  new Map(
    Object.entries(names).flatMap(([from, to]) => {
      const targets = called(all, to);
      return called(all, from).flatMap(({ id, kind }) => {
        const target = targets.find((each) => each.kind === kind) ?? targets[0];
        return target === undefined ? [] : [[id, { type: target.kind, id: target.id }] as const];
      });
    }),
  );

/** The target's username for one of the source. */
const nameInTarget = (names: Names, name: string): string =>
  (Object.hasOwn(names, name) ? names[name] : undefined) ?? name;

function unknownUsers({ source, target }: KnownNames, names: Names): readonly Violation[] {
  const [ofSource, ofTarget] = [usernamesIn(source), new Set(usernamesIn(target).values())];
  const inSource = new Set(ofSource.values());
  const needed = new Set([...Object.keys(names), ...allowedIn(source).flatMap((id) => ofSource.get(id) ?? [])]);
  return [...needed].flatMap((name) => {
    if (!inSource.has(name)) return [unknownUser(name, 'The source has no such basic-auth user.')];
    return ofTarget.has(nameInTarget(names, name))
      ? []
      : [unknownUser(name, 'The target has no such basic-auth user.')];
  });
}

const unknownUser = (name: string, reason: string): Violation => violation(name, 'promotion.user.unknown', reason);

function mappedUsers({ source, earlier, target }: KnownNames, names: Names): MappedNames['users'] {
  const ids = new Map([...usernamesIn(target)].map(([id, name]) => [name, id]));
  const everyone = [...(earlier === undefined ? [] : usernamesIn(earlier)), ...usernamesIn(source)];
  return new Map(
    everyone.flatMap(([id, name]) => {
      const mapped = ids.get(nameInTarget(names, name));
      return mapped === undefined ? [] : [[id, mapped] as const];
    }),
  );
}

/** Usernames are case-sensitive. */
const usernamesIn = (document: ZoneDocument): ReadonlyMap<BasicAuthUserId, string> =>
  new Map(
    Object.entries(document.basicAuthUsers ?? {}).map(([id, { username }]) => [BasicAuthUserId.parse(id), username]),
  );

/** The users that rules refer to; those in the settings belong to the zone itself. */
const allowedIn = (document: ZoneDocument): readonly BasicAuthUserId[] =>
  rulesIn(document, 'configurationRule').flatMap(({ content }) =>
    allowedUsers(objectIn(objectIn(content['settingsOverrides'])['basicAuth'])),
  );

/** The users that a setting admits. */
export const allowedUsers = ({ allowedUserIds }: JsonObject): readonly BasicAuthUserId[] =>
  BasicAuthUserId.array().default([]).parse(allowedUserIds);
