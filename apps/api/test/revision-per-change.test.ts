import { expect } from 'chai';
import {
  aMember,
  anApiToken,
  aVerifiedUser,
  aZone,
  someConditions,
  type User,
  type ZoneBody,
} from './support/arrange.ts';
import { type Client, expectSuccess, type Reply } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import {
  type AnyRuleBody,
  aBasicAuthUser,
  aRuleIn,
  type BasicAuthUserBody,
  basicAuthUsersOf,
  historyOf,
  listOf,
  minimalMembers,
  orderedLists,
  type RuleListName,
  revisionsOf,
  ruleListNames,
  someHash,
  tagOf,
} from './support/zone-contents.ts';
import { expectConsistentHistory, latestRevision } from './support/zone-history.ts';

const plain = { accept: 'application/json' };
const missingId = '0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e';

describe('One revision for every change inside a zone', () => {
  let service: MemoryService;
  let ada: User;
  let zone: ZoneBody;

  before(async () => {
    service = await openMemoryService();
    ada = await aVerifiedUser(service);
  });
  beforeEach(async () => {
    zone = await aZone(ada);
  });
  after(() => service.close());

  const path = () => `/api/zones/${zone.id}`;
  const revision = (number: number | string) => `${revisionsOf(zone)}/${number}`;
  const restore = (number: number | string, headers: Readonly<Record<string, string>> = {}, user: Client = ada) =>
    user.post(`${revision(number)}/restore`, undefined, headers);
  const latest = () => latestRevision(ada, zone);
  const put = (list: RuleListName, rules: readonly unknown[]) =>
    ada.send('PUT', listOf(zone, list), {
      headers: { ...plain, 'content-type': 'application/json', 'if-match': '*' },
      body: JSON.stringify(rules),
    });

  /** Objects to change: a zone with two rules of each kind and two users. */
  interface Contents {
    readonly rules: Readonly<Record<RuleListName, readonly [AnyRuleBody, AnyRuleBody]>>;
    readonly users: readonly [BasicAuthUserBody, BasicAuthUserBody];
  }
  let contents: Contents;
  const two = async <T>(make: () => Promise<T>): Promise<readonly [T, T]> => [await make(), await make()];

  beforeEach(async () => {
    contents = {
      rules: {
        rewriteRules: await two(() => aRuleIn(ada, zone, 'rewriteRules')),
        configurationRules: await two(() => aRuleIn(ada, zone, 'configurationRules')),
        accessRules: await two(() => aRuleIn(ada, zone, 'accessRules')),
        securityScenarios: await two(() => aRuleIn(ada, zone, 'securityScenarios')),
      },
      users: await two(() => aBasicAuthUser(ada, zone)),
    };
  });

  /** The object created by a change, if any. */
  type Made = Pick<AnyRuleBody, 'id'>;
  type Act = (contents: Contents) => Promise<Made | void>;
  const ruleAct =
    (list: RuleListName, act: (rules: readonly [AnyRuleBody, AnyRuleBody]) => Promise<Reply>): Act =>
    ({ rules }) =>
      expectSuccess(act(rules[list]));
  const kindOf = {
    rewriteRules: 'rewriteRule',
    configurationRules: 'configurationRule',
    accessRules: 'accessRule',
    securityScenarios: 'securityScenario',
  };
  const ruleId =
    (list: RuleListName) =>
    ({ rules }: Contents) => ({ rule: rules[list][0].id });
  const user = ({ users }: Contents) => ({ basicAuthUser: users[0].id });
  const nothing = () => ({});
  const madeRule = (_: Contents, { id }: Made) => ({ rule: id });
  const madeUser = (_: Contents, { id }: Made) => ({ basicAuthUser: id });

  const changes: readonly (readonly [
    what: string,
    action: string,
    objects: (contents: Contents, made: Made) => object,
    act: Act,
  ])[] = [
    ['the name', 'zone.changed', nothing, () => expectSuccess(ada.patch(path(), { name: `${zone.name} again` }))],
    ['the tag', 'zone.changed', nothing, () => expectSuccess(ada.patch(path(), { tag: 'dev' }))],
    [
      'settings',
      'zone.changed',
      nothing,
      () => expectSuccess(ada.patch(path(), { zone_settings: { minifyHtml: true } })),
    ],
    ['the ban token', 'zone.banTokenRotated', nothing, () => expectSuccess(ada.post(`${path()}/ban-token`))],
    ...ruleListNames.flatMap((list) => {
      const item = ({ id }: AnyRuleBody) => `${listOf(zone, list)}/${id}`;
      return [
        [`a new rule of ${list}`, `${kindOf[list]}.created`, madeRule, () => aRuleIn(ada, zone, list)],
        [
          `a rule of ${list}`,
          `${kindOf[list]}.changed`,
          ruleId(list),
          ruleAct(list, ([rule]) => ada.patch(item(rule), { enabled: false })),
        ],
        [
          `a deleted rule of ${list}`,
          `${kindOf[list]}.deleted`,
          ruleId(list),
          ruleAct(list, ([rule]) => ada.delete(item(rule))),
        ],
      ] as const;
    }),
    ...orderedLists.flatMap((list) => {
      const item = ({ id }: AnyRuleBody) => `${listOf(zone, list)}/${id}`;
      return [
        [
          `the order of ${list}, by a patch`,
          `${kindOf[list]}.changed`,
          ruleId(list),
          ruleAct(list, ([rule]) => ada.patch(item(rule), { order: 2 })),
        ],
        [
          `a rule of ${list} and its place at once`,
          `${kindOf[list]}.changed`,
          ruleId(list),
          ruleAct(list, ([rule]) => ada.patch(item(rule), { order: 2, description: 'moved' })),
        ],
        [
          `the order of ${list}, by a move`,
          `${kindOf[list]}.moved`,
          ruleId(list),
          ruleAct(list, ([rule, other]) => ada.post(`${item(rule)}/move`, { after: other.id })),
        ],
        [
          `the order of ${list} as a whole`,
          `${kindOf[list]}.replaced`,
          nothing,
          ruleAct(list, ([rule, other]) => put(list, [other, rule])),
        ],
        [
          `all of ${list}: one rule gone, one changed, one new`,
          `${kindOf[list]}.replaced`,
          nothing,
          ruleAct(list, ([rule]) => put(list, [minimalMembers(list), { ...rule, enabled: false }])),
        ],
      ] as const;
    }),
    ['a new user', 'basicAuthUser.created', madeUser, () => aBasicAuthUser(ada, zone)],
    [
      'the comment of a user',
      'basicAuthUser.changed',
      user,
      ({ users: [{ id }] }) => expectSuccess(ada.patch(`${basicAuthUsersOf(zone)}/${id}`, { comment: 'x' })),
    ],
    [
      'the password of a user',
      'basicAuthUser.passwordChanged',
      user,
      ({ users: [{ id }] }) => expectSuccess(ada.patch(`${basicAuthUsersOf(zone)}/${id}`, { passwordHash: someHash })),
    ],
    [
      'a deleted user',
      'basicAuthUser.deleted',
      user,
      ({ users: [{ id }] }) => expectSuccess(ada.delete(`${basicAuthUsersOf(zone)}/${id}`)),
    ],
    ['a restoration', 'zone.restored', () => ({ revision: '3' }), () => expectSuccess(restore(3))],
  ];

  for (const [what, action, objects, act] of changes) {
    it(`${what}: ${action}`, async () => {
      const { number } = await latest();
      const tag = await tagOf(ada, path());
      const made = await act(contents);
      const { author, ...reported } = await latest();
      expect({ number: reported.number, action: reported.action, author }).to.deep.equal({
        number: number + 1,
        action,
        author: `/api/users/${ada.id}`,
      });
      expect(reported.objects).to.deep.equal(objects(contents, made ?? { id: '' }));
      expect(await tagOf(ada, path())).not.to.equal(tag);
      await expectConsistentHistory(ada, zone, number);
    });
  }

  it('and none for requests without effect', async () => {
    const { rules, users } = contents;
    const before = await tagOf(ada, path());
    const calls: readonly (() => Promise<Reply>)[] = [
      () => ada.patch(path(), {}),
      () => ada.patch(path(), { name: zone.name, tag: 'prod', zone_settings: { minifyHtml: false } }),
      ...ruleListNames.flatMap((list) => {
        const [first] = rules[list];
        return [() => ada.patch(`${listOf(zone, list)}/${first.id}`, { enabled: true })];
      }),
      ...orderedLists.flatMap((list) => {
        const [first, second] = rules[list];
        return [
          () => ada.patch(`${listOf(zone, list)}/${first.id}`, { order: 1 }),
          () => ada.patch(`${listOf(zone, list)}/${second.id}`, { order: 99 }),
          () => ada.post(`${listOf(zone, list)}/${first.id}/move`, { before: second.id }),
          () => ada.post(`${listOf(zone, list)}/${second.id}/move`, { position: 2 }),
          () => put(list, [first, second]),
        ];
      }),
      () => ada.patch(`${basicAuthUsersOf(zone)}/${users[0].id}`, { comment: '' }),
    ];
    for (const call of calls) await expectSuccess(call());
    expect(await tagOf(ada, path())).to.equal(before);
    expect(await historyOf(ada, zone)).to.have.length(11);
  });

  it('and one for a restoration without effect: it records who requested it', async () => {
    const { number } = await latest();
    await expectSuccess(restore(number));
    const reported = await latest();
    expect(reported).to.include({ number: number + 1, action: 'zone.restored' });
    expect(reported.patch).to.deep.equal({});
  });

  it('and none for rejected requests', async () => {
    const { rules, users } = contents;
    const viewer = await aMember(service, ada, 'viewer');
    const readOnly = await anApiToken(ada, { readOnly: true });
    const stale = { 'if-match': '"1"' };
    const [rule, other] = rules.configurationRules;
    const ruleList = listOf(zone, 'configurationRules');
    const calls: readonly (readonly [status: number, call: Promise<Reply>])[] = [
      [422, ada.patch(path(), { name: 'changed', zone_settings: { cachingDefaultTtl: -1 } })],
      [412, ada.patch(path(), { name: 'changed' }, stale)],
      [403, viewer.patch(path(), { name: 'changed' })],
      [403, readOnly.patch(path(), { name: 'changed' })],
      [412, ada.post(`${path()}/ban-token`, undefined, stale)],
      [422, ada.post(ruleList, { name: rule.name, conditions: someConditions() })],
      [422, ada.patch(`${ruleList}/${rule.id}`, { order: 2, name: other.name })],
      [412, ada.patch(`${ruleList}/${rule.id}`, { order: 2 }, stale)],
      [404, ada.patch(`${ruleList}/${missingId}`, { order: 2 })],
      [422, ada.post(`${ruleList}/${rule.id}/move`, { after: missingId })],
      [422, put('configurationRules', [rule, { ...other, name: rule.name }])],
      [428, ada.send('PUT', ruleList, { headers: { 'content-type': 'application/json' }, body: '[]' })],
      [422, ada.post(basicAuthUsersOf(zone), { username: users[0].username, passwordHash: someHash })],
      [412, ada.delete(`${basicAuthUsersOf(zone)}/${users[0].id}`, { 'if-match': '"7"' })],
      [412, restore(1, stale)],
      [403, restore(1, {}, viewer)],
      [404, restore(4711)],
    ];
    const found = await Promise.all(calls.map(async ([, call]) => (await call).status));
    expect(found).to.deep.equal(calls.map(([status]) => status));
    expect(await historyOf(ada, zone)).to.have.length(11);
    await expectConsistentHistory(ada, zone);
  });

  it('also for concurrent changes: numbers have no gaps, and every patch applies', async () => {
    const { rules, users } = contents;
    const [first, second] = rules.rewriteRules;
    const replies = await Promise.all([
      ...Array.from({ length: 4 }, (_, index) => ada.patch(path(), { zone_settings: { cachingDefaultTtl: index } })),
      ada.post(listOf(zone, 'accessRules'), { name: 'new', conditions: someConditions(), action: 'allow' }),
      ada.patch(`${listOf(zone, 'rewriteRules')}/${first.id}`, { order: 2 }),
      ada.delete(`${listOf(zone, 'rewriteRules')}/${second.id}`),
      ada.patch(`${basicAuthUsersOf(zone)}/${users[0].id}`, { comment: 'x' }),
      ada.delete(`${basicAuthUsersOf(zone)}/${users[1].id}`),
      restore(5),
    ]);
    expect(replies.map(({ status }) => status).filter((status) => status >= 400)).to.deep.equal([]);
    await expectConsistentHistory(ada, zone);
  });
});
