import { expect } from 'chai';
import { aZone, someConditions, type User, unique } from './arrange.ts';

interface Place {
  readonly id: string;
}

/** The path of each list of rules below its zone, by the member of the zone that shows it. */
export const ruleLists = {
  rewriteRules: 'rewrite-rules',
  configurationRules: 'configuration-rules',
  accessRules: 'access-rules',
  securityScenarios: 'security/scenarios',
} as const;
export type RuleListName = keyof typeof ruleLists;
export const ruleListNames = Object.keys(ruleLists) as readonly RuleListName[];
/** The lists that clients put in order. */
export const orderedLists = ruleListNames.filter((list) => list !== 'securityScenarios');

export const listOf = ({ id }: Place, list: RuleListName): string => `/api/zones/${id}/${ruleLists[list]}`;

/** What a new rule of each kind needs at least; no two are alike. */
export const leastMembers = (list: RuleListName): Readonly<Record<string, unknown>> => {
  const name = `rule-${unique()}`;
  switch (list) {
    case 'rewriteRules':
      return { name, operator: 'equals', sourcePattern: `/old-${unique()}`, target: '/new' };
    case 'configurationRules':
      return { name, conditions: someConditions() };
    case 'accessRules':
      return { name, conditions: someConditions(), action: 'block' };
    case 'securityScenarios':
      return { name, type: 'trigger', filter: someConditions() };
  }
};

/** A rule of any kind as every kind shows it. */
export interface AnyRuleBody extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly name: string;
}

const plain = { accept: 'application/json' };

/** A rule in one of the lists of the zone. */
export async function aRuleIn(
  user: User,
  zone: Place,
  list: RuleListName,
  members: Readonly<Record<string, unknown>> = {},
): Promise<AnyRuleBody> {
  const reply = await user.post(listOf(zone, list), { ...leastMembers(list), ...members }, plain);
  expect(reply.status, reply.text).to.equal(201);
  return reply.json() as AnyRuleBody;
}

export interface BasicAuthUserBody {
  readonly id: string;
  readonly zone: string;
  readonly username: string;
  readonly comment: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const basicAuthUsersOf = ({ id }: Place): string => `/api/zones/${id}/basic-auth-users`;

/** A bcrypt hash that nobody knows a password to: hashing one takes a while. */
export const someHash = `$2y$10$${'a'.repeat(53)}`;

/** A basic-auth user of the zone. */
export async function aBasicAuthUser(
  user: User,
  zone: Place,
  members: Readonly<Record<string, unknown>> = {},
): Promise<BasicAuthUserBody> {
  const credential = 'password' in members ? {} : { passwordHash: someHash };
  const body = { username: `user-${unique()}`, ...credential, ...members };
  const reply = await user.post(basicAuthUsersOf(zone), body, plain);
  expect(reply.status, reply.text).to.equal(201);
  return reply.json() as BasicAuthUserBody;
}

export interface ChangeSetBody {
  readonly id: string;
  readonly status: string;
  readonly base: number;
  readonly patch: Readonly<Record<string, unknown>>;
  readonly operations?: readonly Readonly<Record<string, unknown>>[];
  readonly conflicts?: readonly { readonly path: string }[];
  readonly appliedRevision?: number;
}

export const changeSetsOf = (zone: Place): string => `/api/zones/${zone.id}/change-sets`;

/** A change set of the zone: one with an empty patch unless something else is given. */
export async function aChangeSet(
  user: User,
  zone: Place,
  members: Readonly<Record<string, unknown>> = { patch: {} },
): Promise<ChangeSetBody> {
  const reply = await user.post(changeSetsOf(zone), members, plain);
  expect(reply.status, reply.text).to.equal(201);
  return reply.json() as ChangeSetBody;
}

export const promotionsOf = (zone: Place): string => `/api/zones/${zone.id}/promotions`;

/** A promotion of a setting into the zone. */
export async function aPromotion(user: User, zone: Place): Promise<{ readonly id: string; readonly from: string }> {
  const { organization } = (await user.get(`/api/zones/${zone.id}`)).json() as { readonly organization: string };
  const source = await aZone(user, { organization, tag: 'dev', zone_settings: { minifyHtml: true } });
  const reply = await user.post(promotionsOf(zone), { from: source.id }, plain);
  expect(reply.status, reply.text).to.equal(201);
  return reply.json() as { readonly id: string; readonly from: string };
}

export interface RevisionBody {
  readonly number: number;
  readonly zone: string;
  readonly action: string;
  readonly objects: Readonly<Record<string, string>>;
  readonly author?: string;
  readonly createdAt: string;
}

/** A revision that is read alone. */
export interface RevisionDetailsBody extends RevisionBody {
  readonly patch: Readonly<Record<string, unknown>>;
  readonly inversePatch: Readonly<Record<string, unknown>>;
  readonly state: Readonly<Record<string, unknown>>;
}

export const revisionsOf = ({ id }: Place): string => `/api/zones/${id}/revisions`;

/** The history of a zone, newest first. */
export async function historyOf(user: User, zone: Place): Promise<readonly RevisionBody[]> {
  const reply = await user.get(`${revisionsOf(zone)}?itemsPerPage=100`);
  expect(reply.status, reply.text).to.equal(200);
  return reply.json() as readonly RevisionBody[];
}

/** What a client gets to send as `If-Match`. */
export const tagOf = async (user: User, path: string, headers: Readonly<Record<string, string>> = plain) =>
  (await user.get(path, headers)).headers.get('etag') ?? expect.fail(`${path} has no ETag`);
