import type { Database, SentStatement } from '@zonewright/postgres';
import { expect } from 'chai';
import { aRule, aVerifiedUser, aZone, rulesOf, type User, unique } from './support/arrange.ts';
import type { Reply } from './support/client.ts';
import { fillLargeDatabase, type LargeDataSet, zonesPerOrganization } from './support/large-data-set.ts';
import { type PlanNode, planOf, rowsReadBy } from './support/plans.ts';
import { openService, type TestService } from './support/service.ts';
import { aBasicAuthUser, aRuleIn, basicAuthUsersOf, revisionsOf, ruleListNames } from './support/zone-contents.ts';

/** More rows than a statement should read to return a few. */
const large = 1000;

const plain = { accept: 'application/json' };

describe('A large database', function () {
  this.timeout(30_000);
  const sent: SentStatement[] = [];
  let service: TestService;
  let ada: User;
  let plenty: LargeDataSet;
  let largeTables: ReadonlySet<string>;

  before(async () => {
    service = await openService({}, { onStatement: (statement) => void sent.push(statement) });
    ada = await aVerifiedUser(service);
    plenty = await fillLargeDatabase(service.database, ada);
    largeTables = await tablesOver(service.database, large);
  });
  after(() => service.close());

  /** The statements of a request, without transaction control and statements of background workers. */
  async function statementsOf(request: () => Promise<Reply>): Promise<readonly SentStatement[]> {
    sent.length = 0;
    const { status, text } = await request();
    expect(status, text).to.be.within(200, 304);
    return sent.filter(
      ({ name }) => name !== undefined && !/^(?:outbox|clean-up|edge-feed|rollouts|domain-checks)\//.test(name),
    );
  }

  /** Results by statement and values: some statements come with every request. */
  const known = new Map<string, Promise<readonly string[]>>();
  const readAsAWhole = (statement: SentStatement): Promise<readonly string[]> => {
    const key = JSON.stringify([statement.text, statement.values]);
    const found = known.get(key) ?? tablesReadAsAWhole(statement);
    known.set(key, found);
    return found;
  };

  /** The large tables that the statement's plan scans completely. */
  async function tablesReadAsAWhole(statement: SentStatement): Promise<readonly string[]> {
    const tables = (node: PlanNode): string[] => [
      ...(node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? ''] : []),
      ...(node.Plans ?? []).flatMap(tables),
    ];
    const found = tables(await planOf(service.database, statement));
    return [...new Set(found)].filter((table) => largeTables.has(table));
  }

  it('has more than 1,000 rows of everything that is listed', () => {
    expect([...largeTables]).to.include.members([
      'api_tokens',
      'audit_log',
      'basic_auth_users',
      'invitations',
      'load_balancers',
      'load_balancer_origins',
      'memberships',
      'organizations',
      'origin_servers',
      'rules',
      'sessions',
      'zone_revisions',
      'zone_settings',
      'zones',
    ]);
  });

  it('is scanned completely by a statement without an index: these tests would notice', async () => {
    const text = 'SELECT id FROM zones WHERE ban_token_hash LIKE $1 AND tag = ANY ($2)';
    expect(await readAsAWhole({ text, values: ['%x', ['prod']] })).to.deep.equal(['zones']);
  });

  const sorts = ['name', 'tag', 'createdAt', 'updatedAt'].flatMap((key) =>
    ['asc', 'desc'].map((direction) => `order[${key}]=${direction}`),
  );
  const zone = () => ({ id: plenty.zone });
  const organization = (path: string) => () => [`/api/organizations/${ada.organization}${path}`];

  const lists: readonly (readonly [what: string, paths: () => readonly string[]])[] = [
    ...['', 'tag=prod', 'tag[]=stage&tag[]=dev', 'q=zone 1', 'q=zone 2&tag=prod', 'organization'].map(
      (filter) =>
        [
          `zones, ${filter || 'all'}, in every order`,
          () => {
            const given = filter === 'organization' ? `organization=${ada.organization}` : filter;
            return ['', ...sorts, 'order[tag]=asc&order[name]=desc', 'page=5', 'page=99'].map(
              (query) => `/api/zones?${given}&${query}`,
            );
          },
        ] as const,
    ),
    ['zones by part of their id', () => [`/api/zones?q=${plenty.zone.slice(0, 8)}`, `/api/zones?q=${plenty.zone}`]],
    [
      'rules',
      () =>
        ['', 'page=30', 'page=5&itemsPerPage=100', 'name=rule 5', 'name[]=7&name[]=9'].map(
          (query) => `${rulesOf(zone())}?${query}`,
        ),
    ],
    ['basic-auth users', () => ['', 'page=2', 'username=1'].map((query) => `${basicAuthUsersOf(zone())}?${query}`)],
    ['revisions', () => ['', 'page=2', 'page=30'].map((query) => `${revisionsOf(zone())}?${query}`)],
    ['states of revisions', () => ['650', '1/diff/1199'].map((item) => `${revisionsOf(zone())}/${item}`)],
    ['members', organization('/members?page=2')],
    ['invitations', organization('/invitations?page=2')],
    ['origin servers', organization('/origin-servers?page=2')],
    ['load balancers', organization('/load-balancers?page=2')],
    ['events', organization('/audit-log?page=10')],
    ['events by action', organization('/audit-log?action=zone.created')],
    ['events by actor', () => [`/api/organizations/${ada.organization}/audit-log?actor=${ada.id}`]],
    ['events by time', organization('/audit-log?since=2026-01-01T00:00:00Z&until=2099-01-01T00:00:00Z')],
    ['organizations', () => ['/api/organizations']],
    ['sessions', () => ['/api/users/me/sessions']],
    ['API tokens', () => ['/api/api-tokens']],
    ['one zone', () => [`/api/zones/${plenty.zone}`]],
    ['one rule', () => [`${rulesOf(zone())}/${plenty.rule}`]],
    ['the profile', () => ['/api/users/me']],
  ];

  for (const [what, paths] of lists) {
    it(`is not scanned completely for ${what}`, async () => {
      for (const path of paths()) {
        for (const statement of await statementsOf(() => ada.get(path, plain))) {
          expect(await readAsAWhole(statement), `${statement.name} for ${path}`).to.deep.equal([]);
        }
      }
    });
  }

  it('is searched only where the caller has access, however short the text and however often others have it', async () => {
    const organizations = 4;
    const own = zonesPerOrganization * organizations;
    const rowsReadFor = async (text: string) => {
      const statements = await statementsOf(() => ada.get(`/api/zones?order[name]=asc&itemsPerPage=10&q=${text}`));
      // Some requests also take a lease of the general budget.
      const search = statements.find(({ name }) => name?.startsWith('zones/list'));
      return rowsReadBy(service.database, search ?? { text: '' });
    };
    // The shortest texts, and those that may be part of an id, are compared with every name.
    for (const text of ['z', 'a', '1']) expect(await rowsReadFor(text), text).to.be.within(own, own + 100);
    for (const text of ['e 1', 'zone 1', 'ne']) expect(await rowsReadFor(text), text).to.be.within(1, 2 * own + 100);
    expect(await rowsReadFor('nowhere')).to.be.below(100);
  });

  it('is not scanned completely to change, move or delete a rule among many', async () => {
    const path = `${rulesOf(zone())}/${plenty.rule}`;
    const requests = [
      () => ada.patch(path, { description: 'changed', order: 510 }),
      () => ada.post(`${path}/move`, { position: 500 }),
      () => ada.delete(`${rulesOf(zone())}/${plenty.lastRule}`),
    ];
    for (const request of requests) {
      for (const statement of await statementsOf(request)) {
        expect(await readAsAWhole(statement), statement.name).to.deep.equal([]);
      }
    }
  });

  describe('executes a constant number of statements', () => {
    /** Without leases of the general budget, which only some requests happen to take. */
    const named = async (request: () => Promise<Reply>) =>
      (await statementsOf(request)).flatMap(({ name = '' }) =>
        name.startsWith('rate-limits/') ? [] : [name.replace(/\.sql$/, '')],
      );
    const list = 'zones/list/by-id';

    it('for a list of zones, whatever the page contains: caller, page and total at once', async () => {
      const paths = [1, 30, 100].map((count) => `/api/zones?itemsPerPage=${count}`);
      for (const path of [...paths, '/api/zones?page=9999']) {
        await ada.get(path);
        expect(await named(() => ada.get(path)), path).to.deep.equal([list]);
      }
      const tag = (await ada.get('/api/zones')).headers.get('etag') ?? '';
      const unchanged = () => ada.get('/api/zones', { 'if-none-match': tag });
      expect(await named(unchanged)).to.deep.equal([list]);
    });

    it('for zones not yet cached by this process, one more for all of them', async () => {
      const path = `/api/zones?organization=${ada.organization}&itemsPerPage=100`;
      await ada.get(path);
      for (let count = 0; count < 2; count += 1) await aZone(ada);
      expect(await named(() => ada.get(`${path}&page=2`))).to.deep.equal(['zones/list/by-id', 'zones/read']);
    });

    it('for one zone with nothing, something or a thousand objects inside', async () => {
      const empty = await aZone(ada);
      const full = await aZone(ada);
      for (const each of ruleListNames) await aRuleIn(ada, full, each);
      await aBasicAuthUser(ada, full);
      for (const id of [empty.id, full.id, plenty.zone]) {
        const read = (headers = {}) => ada.get(`/api/zones/${id}`, headers);
        const tag = (await read()).headers.get('etag') ?? '';
        expect(await named(read)).to.deep.equal(['zones/state']);
        expect(await named(() => read({ 'if-none-match': tag }))).to.deep.equal(['zones/state']);
      }
      await aRuleIn(ada, full, 'accessRules');
      expect(await named(() => ada.get(`/api/zones/${full.id}`))).to.deep.equal(['zones/state']);
    });

    it('for a list of rules, whatever the page contains', async () => {
      const empty = await aZone(ada);
      for (const path of [rulesOf(empty), `${rulesOf(zone())}?itemsPerPage=1`, `${rulesOf(zone())}?itemsPerPage=100`]) {
        expect(await named(() => ada.get(path))).to.deep.equal(['callers/authenticate', 'zones/head', 'rules/list']);
      }
    });

    it('for one rule', async () => {
      const place = await aZone(ada);
      const rule = await aRule(ada, place);
      expect(await named(() => ada.get(`${rulesOf(place)}/${rule.id}`))).to.deep.equal([
        'callers/authenticate',
        'zones/head',
        'rules/by-id',
      ]);
    });

    it('for a change of a rule, however many rules its list has', async () => {
      const place = await aZone(ada);
      const changes: (readonly (string | undefined)[])[] = [];
      for (let siblings = 0; siblings < 3; siblings += 1) {
        const path = `${rulesOf(place)}/${(await aRule(ada, place)).id}`;
        changes.push(await named(() => ada.patch(path, { description: 'changed' })));
        changes.push(await named(() => ada.patch(path, { description: 'both', order: 1 })));
        if (siblings > 0) changes.push(await named(() => ada.post(`${path}/move`, { position: 2 })));
      }
      const change = ['zones/whole', 'zone-changes/apply/rules'];
      expect(changes).to.deep.equal(changes.map(() => change));
    });

    it('for a change of a zone', async () => {
      const path = `/api/zones/${(await aZone(ada)).id}`;
      const change = ['zones/whole', 'zone-changes/apply/zone'];
      expect(await named(() => ada.patch(path, { zone_settings: { minifyHtml: true } }))).to.deep.equal(change);
      expect(await named(() => ada.patch(path, { name: `zone-${unique()}` }))).to.deep.equal(change);
      expect(await named(() => ada.post(`${path}/ban-token`))).to.deep.equal(change);
    });

    it('for the profile', async () => {
      expect(await named(() => ada.get('/api/users/me'))).to.deep.equal(['accounts/profile']);
    });
  });
});

/** Names of tables with more rows, and of their partitioned parents. */
async function tablesOver(database: Database, rows: number): Promise<ReadonlySet<string>> {
  const found = await database.any<{ name: string }>(
    `WITH large AS (
       SELECT oid, relname FROM pg_class
       WHERE relkind = 'r' AND relnamespace IN ('public'::regnamespace, 'audit_log_months'::regnamespace) AND reltuples > $1
     )
     SELECT relname AS name FROM large
     UNION SELECT inhparent::regclass::text FROM large JOIN pg_inherits ON inhrelid = oid`,
    rows,
  );
  return new Set(found.map(({ name }) => name));
}
