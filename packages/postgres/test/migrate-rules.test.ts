import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import {
  Conditions,
  conditionsKey,
  type JsonObject,
  jsonDocument,
  mergePatch,
  OrganizationId,
  parseRuleDraft,
  RevisionNumber,
  type Rule,
  RuleId,
  type RuleList,
  type SessionCaller,
  SessionId,
  SettingsOverrides,
  UserId,
  useCases,
  ZoneId,
  ZoneSettings,
} from '@zonewright/core';
import { nodeRandomness } from '@zonewright/crypto';
import { expect } from 'chai';
import type { ResultAsync } from 'neverthrow';
import { runner } from 'node-pg-migrate';
import { type Database, migrate, openDatabase, PostgresUnitOfWork } from '../src/index.ts';
import { emptyDatabase } from './support/database.ts';
import { testBoxes } from './support/postgres-storage.ts';

const directory = fileURLToPath(new URL('../migrations', import.meta.url));
const silent = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} };
/** The last migration before the common rules table. */
const before = 10;

const migrateTo = (url: string, count: number) =>
  runner({
    databaseUrl: url,
    dir: directory,
    migrationsTable: 'schema_migrations',
    direction: 'up',
    count,
    singleTransaction: true,
    verbose: false,
    logger: silent,
  });

const uuid = (last: number) => `01900000-0000-7000-8000-${String(last).padStart(12, '0')}`;
const userId = UserId.parse(uuid(1));
const [shop, bare] = [ZoneId.parse(uuid(11)), ZoneId.parse(uuid(12))];

/** Stored rules; the last one contains everything JSON must escape. */
const stored = [
  { name: 'Images', description: '', path: '/images', enabled: true, stopOnMatch: false, overrides: {} },
  { name: 'API', description: 'two\nlines', path: '/api', enabled: false, stopOnMatch: true, overrides: {} },
  {
    name: 'Straße "東京" \\ 😀 \u2028x',
    description: 'a\t"\\/',
    path: '/"quoted"\\',
    enabled: true,
    stopOnMatch: false,
    overrides: { cachingDefaultTtl: 60, headersResponseSet: [{ name: 'X-Shop', value: '"\\' }] },
  },
].map(({ path, overrides, ...rule }, index) => ({
  ...rule,
  id: RuleId.parse(uuid(21 + index)),
  // An alias and upper case: rules are returned as written.
  conditions: Conditions.parse({ logic: 'AND', conditions: [{ field: 'path', operator: 'equals', value: path }] }),
  settingsOverrides: SettingsOverrides.parse(overrides),
  revision: index + 1,
  createdAt: new Date(Date.UTC(2026, 0, 1 + index)),
  updatedAt: new Date(Date.UTC(2026, 1, 1 + index)),
}));
const order = [stored[2]!.id, stored[0]!.id, stored[1]!.id];

const settings = jsonDocument(ZoneSettings.parse({ minifyHtml: true, customPagesErrorHtml: '<h1>"Ünïcode"</h1>\n' }));

/** Fills a database like the previous version: a zone with rules, and one without. */
async function fill(database: Database): Promise<OrganizationId> {
  return await database.tx(async (unit) => {
    await unit.none(
      `INSERT INTO users (id, email, email_key, first_name, last_name)
       VALUES ($(userId), 'ada@example.org', 'ada@example.org', 'Ada', 'Lovelace')`,
      { userId },
    );
    const { id } = await unit.one<{ id: number }>(
      `INSERT INTO organizations (name, name_key) VALUES ('Team', 'team') RETURNING id`,
    );
    await unit.none(`INSERT INTO memberships (organization_id, user_id, role) VALUES ($(id), $(userId), 'owner')`, {
      id,
      userId,
    });
    for (const [zone, name, revision] of [[shop, 'Shop', 42] as const, [bare, 'Bare', 1] as const]) {
      await unit.none(
        `INSERT INTO zones (id, organization_id, name, name_key, tag, ban_token, created_by, revision)
         VALUES ($(zone), $(id), $(name), lower($(name)), 'stage', 'ban_' || $(name), $(userId), $(revision))`,
        { zone, id, name, userId, revision },
      );
      await unit.none('INSERT INTO zone_settings (zone_id, settings) VALUES ($(zone), $(text)::json)', {
        zone,
        text: settings.text,
      });
    }
    for (const { conditions, settingsOverrides, ...rule } of stored) {
      await unit.none(
        `INSERT INTO configuration_rules (id, zone_id, name, name_key, description, conditions, conditions_hash, enabled,
           stop_on_match, settings_overrides, revision, created_at, updated_at)
         VALUES ($(id), $(shop), $(name), lower($(name)), $(description), $(conditions)::json, $(hash), $(enabled),
           $(stopOnMatch), $(overrides)::json, $(revision), $(createdAt), $(updatedAt))`,
        {
          ...rule,
          shop,
          conditions: JSON.stringify(conditions),
          overrides: JSON.stringify(settingsOverrides),
          hash: createHash('sha256').update(conditionsKey(conditions)).digest(),
        },
      );
    }
    await unit.none('INSERT INTO configuration_rule_orders (zone_id, rule_ids) VALUES ($(shop), $(order)::uuid[])', {
      shop,
      order,
    });
    await unit.none('INSERT INTO configuration_rule_orders (zone_id) VALUES ($(bare))', { bare });
    return OrganizationId.parse(id);
  });
}

async function valueOf<T>(pending: ResultAsync<T, unknown>): Promise<T> {
  const result = await pending;
  if (result.isErr()) throw new Error(`A call was refused: ${JSON.stringify(result.error)}`);
  return result.value;
}

describe('migrate, on a database with configuration rules,', function () {
  this.timeout(60_000);
  let url: string;
  let database: Database;
  let unitOfWork: PostgresUnitOfWork;
  let caller: SessionCaller;
  const list: RuleList<'configurationRule'> = { zone: shop, kind: 'configurationRule' };

  beforeEach(async () => {
    url = await emptyDatabase();
    await migrateTo(url, before);
    database = openDatabase({ url });
    const organization = await fill(database);
    await migrate(url);
    unitOfWork = new PostgresUnitOfWork(database, testBoxes());
    caller = {
      userId,
      credential: {
        kind: 'session',
        id: SessionId.parse(uuid(2)),
        provider: undefined,
        confirmed: true,
        confirmableBy: ['password'],
      },
      memberships: new Map([[organization, { role: 'owner', needsTwoFactor: false }]]),
      client: { network: undefined, userAgent: undefined },
    };
  });
  afterEach(() => database.$pool.end());

  const rulesNow = (zone: ZoneId): Promise<readonly Rule<'configurationRule'>[]> =>
    valueOf(unitOfWork.view(({ zones }) => zones.state(zone)).map(({ rules }) => rules.configurationRule));

  it('keeps every rule as written, and their order', async () => {
    const wanted = order.map((id, index) => {
      const { id: _, createdAt, updatedAt, revision: __, ...rule } = stored.find((each) => each.id === id)!;
      const { name, description, enabled, conditions, stopOnMatch, settingsOverrides } = rule;
      const content = { name, description, enabled, conditions, stopOnMatch, settingsOverrides };
      const text = JSON.stringify(content);
      const kind = 'configurationRule';
      // No rule keeps a revision that could have named other content: no rule ever had the zone's.
      return { id, zoneId: shop, kind, order: index + 1, text, createdAt, updatedAt, revision: 42 };
    });
    const found = await rulesNow(shop);
    expect(found.map(({ content, ...rule }) => ({ ...rule, text: content.text }))).to.deep.equal(wanted);
    expect(await rulesNow(bare)).to.deep.equal([]);
    const tables = await database.any<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_name LIKE 'configuration_rule%'`,
    );
    expect(tables).to.deep.equal([]);
  });

  it('still rejects duplicate names and conditions, in any spelling', async () => {
    const { conditions } = stored[1]!;
    const again = { name: 'api', conditions: { ...conditions, logic: 'any' } } as unknown as JsonObject;
    const draft = parseRuleDraft('configurationRule', again);
    const create = useCases({ unitOfWork, randomness: nodeRandomness() }).createRule;
    const outcome = await draft.asyncAndThen((body) => create(caller, list, body));
    const codes = outcome.isErr() && outcome.error.type === 'InvalidInput' ? outcome.error.violations : [];
    expect(codes.map(({ code }) => code)).to.deep.equal(['rule.name.duplicate', 'rule.conditions.duplicate']);
  });

  it('recomputes keys that earlier releases computed differently, and returns duplicates', async () => {
    const [first = '', second = ''] = [...order].sort();
    for (const [id, value] of [[first, '/b/../%61'] as const, [second, '/a'] as const]) {
      const conditions = { logic: 'and', conditions: [{ field: 'uri', operator: 'equals', value }] };
      await database.none(
        `UPDATE rules SET key_version = 0, unique_hash = $(hash), content = jsonb_set(content::jsonb, '{conditions}', $(conditions))
         WHERE id = $(id)`,
        { id, hash: createHash('sha256').update(value).digest(), conditions: JSON.stringify(conditions) },
      );
    }
    expect(await migrate(url)).to.deep.equal([{ zone: shop, kind: 'configurationRule', rule: second }]);
    expect(await migrate(url)).to.deep.equal([]);
    const key = conditionsKey(
      Conditions.parse({ logic: 'and', conditions: [{ field: 'uri', operator: 'is', value: '/a' }] }),
    );
    const rows = await database.any('SELECT unique_hash AS hash, key_version AS version FROM rules ORDER BY id');
    expect(rows.slice(0, 2)).to.deep.equal([
      { hash: createHash('sha256').update(key).digest(), version: 1 },
      { hash: null, version: 1 },
    ]);
    expect(rows.map(({ version }: { version: number }) => version)).to.deep.equal(rows.map(() => 1));
    expect(await rulesNow(shop)).to.have.length(order.length);
  });

  it("starts each zone's history with its current state, without an author", async () => {
    for (const [zone, number] of [[shop, 42] as const, [bare, 1] as const]) {
      const contents = await valueOf(useCases({ unitOfWork }).readZone(caller, zone));
      const rules = contents.rules.configurationRule;
      const none = { order: [], items: {} };
      const { revision, state } = await valueOf(
        useCases({ unitOfWork }).readRevision(caller, zone, RevisionNumber.parse(number)),
      );
      expect(state).to.deep.equal({
        name: contents.zone.name,
        tag: 'stage',
        hostnames: [],
        zone_settings: settings.value,
        rewriteRules: none,
        configurationRules: {
          order: rules.map(({ id }) => id),
          items: Object.fromEntries(rules.map(({ id, content }) => [id, content.value])),
        },
        accessRules: none,
        securityScenarios: none,
        basicAuthUsers: {},
      });
      expect(revision).to.include({ number, action: 'zone.created', author: undefined });
      expect(revision.patch.value).to.deep.equal(state);
    }
  });

  it('leaves zones that can be changed and restored', async () => {
    const baseline = RevisionNumber.parse(42);
    const first = await rulesNow(shop);
    const unchanged = await valueOf(useCases({ unitOfWork }).updateRule(caller, list, order[0]!, {}, undefined));
    expect(unchanged.rule).to.deep.equal(first[0]);
    const patch = { name: 'Renamed', order: 3 };
    await valueOf(useCases({ unitOfWork }).updateRule(caller, list, order[0]!, patch, undefined));
    const read = useCases({ unitOfWork }).readRevision;
    const [then, next] = [
      await valueOf(read(caller, shop, baseline)),
      await valueOf(read(caller, shop, RevisionNumber.parse(43))),
    ];
    expect(mergePatch(then.state, next.revision.patch.value)).to.deep.equal(next.state);
    expect(mergePatch(next.state, next.revision.inverse.value)).to.deep.equal(then.state);
    await valueOf(useCases({ unitOfWork }).restoreRevision(caller, shop, baseline, undefined));
    const restored = await rulesNow(shop);
    expect(restored.map(({ id, order: at, content }) => [id, at, content.text])).to.deep.equal(
      first.map(({ id, order: at, content }) => [id, at, content.text]),
    );
    expect(restored.slice(1)).to.deep.equal(first.slice(1));
  });
});
