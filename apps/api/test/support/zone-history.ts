import { expect } from 'chai';
import type { User, ZoneBody } from './arrange.ts';
import {
  type AnyRuleBody,
  type BasicAuthUserBody,
  basicAuthUsersOf,
  historyOf,
  type RevisionDetailsBody,
  type RuleListName,
  revisionsOf,
  ruleListNames,
} from './zone-contents.ts';

type Place = Pick<ZoneBody, 'id'>;
export type Document = Readonly<Record<string, unknown>>;

/** A zone as returned by the single read. */
export type ZoneWithRules = ZoneBody & Readonly<Record<RuleListName, readonly AnyRuleBody[]>>;

const plain = { accept: 'application/json' };

export const readZone = async (user: User, { id }: Place) =>
  (await user.get(`/api/zones/${id}`)).json() as ZoneWithRules;

/** A revision with the zone's state. */
export async function readRevision(user: User, zone: Place, number: number) {
  const reply = await user.get(`${revisionsOf(zone)}/${number}`);
  expect(reply.status, reply.text).to.equal(200);
  return reply.json() as RevisionDetailsBody & { readonly state: Document };
}

export async function latestRevision(user: User, zone: Place): Promise<RevisionDetailsBody> {
  const [newest] = await historyOf(user, zone);
  return readRevision(user, zone, newest?.number ?? expect.fail('no history'));
}

const isObject = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Applies a merge patch (RFC 7396 section 2), as clients do. */
function merged(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [member, value] of Object.entries(patch)) {
    if (value === null) delete result[member];
    else result[member] = merged(result[member], value);
  }
  return result;
}

/** Builds the zone's document from its other endpoints. */
export async function documentOf(user: User, zone: Place): Promise<Document> {
  const { name, tag, hostnames, zone_settings, ...contents } = await readZone(user, zone);
  const { member } = (await user.get(`${basicAuthUsersOf(zone)}?itemsPerPage=100`, plain)).json() as {
    member: readonly BasicAuthUserBody[];
  };
  const content = (rule: AnyRuleBody) =>
    Object.fromEntries(
      Object.entries(rule).filter(
        ([key]) => !['id', 'zone', 'order', 'createdAt', 'updatedAt', 'evaluationScope', 'definition'].includes(key),
      ),
    );
  return {
    name,
    tag,
    hostnames,
    zone_settings,
    ...Object.fromEntries(
      ruleListNames.map((list) => [
        list,
        {
          order: contents[list].map(({ id }) => id),
          items: Object.fromEntries(contents[list].map((rule) => [rule.id, content(rule)])),
        },
      ]),
    ),
    basicAuthUsers: Object.fromEntries(member.map(({ id, username, comment }) => [id, { username, comment }])),
  };
}

/**
 * Requires that every revision's patches lead from the previous state to its own and back, and that the last state
 * equals the zone. Begins after the revision `since`.
 */
export async function expectConsistentHistory(user: User, zone: Place, since = 0): Promise<void> {
  const numbers = (await historyOf(user, zone)).map(({ number }) => number).toReversed();
  expect(numbers).to.deep.equal(numbers.map((_, index) => index + 1));
  let before: unknown = since === 0 ? {} : (await readRevision(user, zone, since)).state;
  for (const number of numbers.slice(since)) {
    const { patch, inversePatch, state } = await readRevision(user, zone, number);
    expect(merged(before, patch), `state of ${number}`).to.deep.equal(state);
    expect(merged(state, inversePatch), `state before ${number}`).to.deep.equal(before);
    before = state;
  }
  expect(before).to.deep.equal(await documentOf(user, zone));
}
