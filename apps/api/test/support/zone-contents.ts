import { expect } from 'chai';
import { aZone, someConditions, type User, unique } from './arrange.ts';

interface Place {
  readonly id: string;
}

/** Path segment of each rule list, by member of the zone. */
export const ruleLists = {
  rewriteRules: 'rewrite-rules',
  configurationRules: 'configuration-rules',
  accessRules: 'access-rules',
  securityScenarios: 'security/scenarios',
} as const;
export type RuleListName = keyof typeof ruleLists;
export const ruleListNames = Object.keys(ruleLists) as readonly RuleListName[];
/** The ordered lists. */
export const orderedLists = ruleListNames.filter((list) => list !== 'securityScenarios');

export const listOf = ({ id }: Place, list: RuleListName): string => `/api/zones/${id}/${ruleLists[list]}`;

/** A minimal new rule of each kind; no two are equal. */
export const minimalMembers = (list: RuleListName): Readonly<Record<string, unknown>> => {
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

/** The members common to rules of every kind. */
export interface AnyRuleBody extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly name: string;
}

const plain = { accept: 'application/json' };

/** Creates a rule in one of the zone's lists. */
export async function aRuleIn(
  user: User,
  zone: Place,
  list: RuleListName,
  members: Readonly<Record<string, unknown>> = {},
): Promise<AnyRuleBody> {
  const reply = await user.post(listOf(zone, list), { ...minimalMembers(list), ...members }, plain);
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

/** A bcrypt hash without a known password, because hashing takes a while. */
export const someHash = `$2y$10$${'a'.repeat(53)}`;

/** Creates a basic-auth user in the zone. */
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

/** Creates a change set in the zone, by default with an empty patch. */
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

/** Promotes a setting into the zone. */
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

/** A single revision. */
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

/** The entity tag to send as `If-Match`. */
export const tagOf = async (user: User, path: string, headers: Readonly<Record<string, string>> = plain) =>
  (await user.get(path, headers)).headers.get('etag') ?? expect.fail(`${path} has no ETag`);
