import {
  ApiTokenDraft,
  BasicAuthUserDraft,
  DomainDraft,
  defaultUsageLimits,
  type InvalidInput,
  InvitationDraft,
  type JsonObject,
  type LimitChanges,
  OrganizationDraft,
  OrganizationId,
  parseChangeSet,
  parseRequestFacts,
  type UsageLimitName,
  type UsageLimits,
  usageLimitNames,
  useCases,
} from '@zonewright/core';
import { expect } from 'chai';
import { ok, ResultAsync } from 'neverthrow';
import { changeOrganizationLimits, readOrganizationLimits } from '../../src/accounts/administration/change-limits.ts';
import { createApiToken } from '../../src/accounts/api-tokens/create-api-token.ts';
import { createLoadBalancer, updateLoadBalancer } from '../../src/organizations/backends/write-load-balancer.ts';
import { createOriginServer } from '../../src/organizations/backends/write-origin-server.ts';
import { createDomain } from '../../src/organizations/domains/create-domain.ts';
import { createInvitation } from '../../src/organizations/invitations/send-invitation.ts';
import { createOrganization } from '../../src/organizations/organizations/create-organization.ts';
import { createBasicAuthUser } from '../../src/zones/basic-auth-users/create-basic-auth-user.ts';
import { createRule } from '../../src/zones/rules/create-rule.ts';
import { replaceRules } from '../../src/zones/rules/replace-rules.ts';
import { updateRule } from '../../src/zones/rules/update-rule.ts';
import { createZone } from '../../src/zones/zone-changes/create-zone.ts';
import { updateZone } from '../../src/zones/zone-changes/update-zone.ts';
import { readZone } from '../../src/zones/zones/read-zone.ts';
import { aBalancer, aBalancerDraft, aServer, aServerDraft, over } from '../support/backends.ts';
import { callerOf } from '../support/organizations.ts';
import { refusalOf, valueOf } from '../support/outcomes.ts';
import { aUser, operator } from '../support/people.ts';
import { aRuleDraft, configurationRulesOf, draftOf, listOf, onPath, rulesIn } from '../support/rules.ts';
import { auditActionsIn, auditEntries } from '../support/traces.ts';
import { aWorld } from '../support/world.ts';
import { aZone, aZoneDraft } from '../support/zones.ts';

/** An organization with its owner, a zone and some origin servers, under these limits. */
const aPlace = async (limits: Partial<UsageLimits> = {}) => {
  const world = aWorld(limits, { own: undefined, verification: 'off' });
  const owner = callerOf(world, await aUser(world));
  const [organization] = owner.memberships.keys();
  const zone = await aZone(world, owner);
  const server = await aServer(world, owner, organization!, 'first');
  return { world, owner, organization: organization!, zone, server };
};
type Place = Awaited<ReturnType<typeof aPlace>>;

/** Adds one more, or creates something with the given number of parts. */
type Addition = (place: Place, number: number) => ResultAsync<unknown, { readonly type: string }>;

const ruleBodies = {
  rewriteRule: (number: number) => ({ operator: 'equals', sourcePattern: `/${number}`, target: '/' }),
  accessRule: (number: number) => ({ conditions: onPath(`/${number}`), action: 'block' }),
  securityScenario: (number: number) => ({ filter: onPath(`/${number}`), type: 'trigger' }),
} as const;

const addRule =
  (kind: keyof typeof ruleBodies): Addition =>
  ({ world, owner, zone }, number) =>
    createRule(world)(
      owner,
      listOf(zone, kind),
      draftOf(kind, { name: `rule-${number}`, ...ruleBodies[kind](number) }),
    );

const addChangeSet = ({ world, owner, zone }: Place, body: JsonObject): ReturnType<Addition> =>
  parseChangeSet(body, { members: (_op, _kind, written) => ok(written), id: (id) => id }).asyncAndThen((draft) =>
    useCases(world).createChangeSet(owner, zone.id, draft),
  );

const servers = (place: Place, count: number) =>
  Promise.all(
    Array.from({ length: count - 1 }, (_, index) =>
      aServer(place.world, place.owner, place.organization, `server ${count} ${index}`),
    ),
  );

/** Adds a rule whose value has the given number of entries. */
const addList =
  (field: string, entry: (index: number) => string): Addition =>
  ({ world, owner, zone }, number) => {
    const value = Array.from({ length: number }, (_, index) => entry(index)).join('\n');
    const conditions = { logic: 'and', conditions: [{ field, operator: 'in', value }] };
    return createRule(world)(owner, configurationRulesOf(zone), aRuleDraft(`rule ${number}`, { conditions }));
  };

/** Limits on a number of things; for the other one, see `storage-quota.test.ts`. */
type CountLimit = Exclude<UsageLimitName, 'storageBytes'>;

/** How to reach each limit; `held` is how many exist from the beginning. */
const additions: Readonly<Record<CountLimit, { readonly held: number; readonly add: Addition }>> = {
  organizations: {
    held: 1,
    add: ({ world, owner }, number) =>
      createOrganization(world)(owner, OrganizationDraft.parse({ name: `Team ${number}` })),
  },
  apiTokens: {
    held: 0,
    add: ({ world, owner }, number) => createApiToken(world)(owner, ApiTokenDraft.parse({ name: `token ${number}` })),
  },
  zones: {
    held: 1,
    add: ({ world, owner }, number) => createZone(world)(owner, aZoneDraft({ name: `zone ${number}` })),
  },
  backends: {
    held: 1,
    add: ({ world, owner, organization }, number) =>
      createOriginServer(world)(owner, organization, aServerDraft(`server ${number}`)),
  },
  members: {
    held: 1,
    add: ({ world, owner, organization }, number) =>
      createInvitation(world)(
        owner,
        organization,
        InvitationDraft.parse({ email: `invited-${number}@example.org`, role: 'viewer' }),
      ),
  },
  domains: {
    held: 0,
    add: ({ world, owner, organization }, number) =>
      createDomain(world)(owner, organization, DomainDraft.parse({ name: `d${number}.example` })),
  },
  hostnames: {
    held: 0,
    add: ({ world, owner, zone }, number) => {
      const hostnames = Array.from({ length: number }, (_, index) => `h${index}.example.com`);
      return updateZone(world)(owner, zone.id, { hostnames }, undefined);
    },
  },
  origins: {
    held: 0,
    add: (place, number) =>
      ResultAsync.fromSafePromise(servers(place, number)).andThen((others) => {
        const draft = aBalancerDraft(
          `balancer ${number}`,
          [place.server, ...others].map((server) => over(server)),
        );
        return createLoadBalancer(place.world)(place.owner, place.organization, draft);
      }),
  },
  configurationRules: {
    held: 0,
    add: ({ world, owner, zone }, number) =>
      createRule(world)(owner, configurationRulesOf(zone), aRuleDraft(`rule ${number}`)),
  },
  rewriteRules: { held: 0, add: addRule('rewriteRule') },
  accessRules: { held: 0, add: addRule('accessRule') },
  securityScenarios: { held: 0, add: addRule('securityScenario') },
  basicAuthUsers: {
    held: 0,
    add: ({ world, owner, zone }, number) =>
      createBasicAuthUser(world)(
        owner,
        zone.id,
        BasicAuthUserDraft.parse({ username: `user ${number}`, password: 'long enough' }),
      ),
  },
  changeSets: {
    held: 0,
    add: (place, number) => addChangeSet(place, { patch: { zone_settings: { cachingDefaultTtl: number } } }),
  },
  operations: {
    held: 0,
    add: (place, number) =>
      addChangeSet(place, {
        operations: Array.from({ length: number }, () => ({ op: 'settings', patch: { minifyHtml: true } })),
      }),
  },
  conditions: {
    held: 0,
    add: ({ world, owner, zone }, number) => {
      const conditions = { logic: 'or', conditions: Array.from({ length: number }, () => onPath('/').conditions[0]) };
      const filter = draftOf('securityScenario', { name: `rule-${number}`, filter: conditions, type: 'trigger' });
      return createRule(world)(owner, listOf(zone, 'securityScenario'), filter);
    },
  },
  addresses: { held: 0, add: addList('ip', (index) => `192.0.2.${index}`) },
  values: { held: 0, add: addList('country', (index) => ['DE', 'FR', 'IT'][index] ?? '') },
  // No rule is that short.
  ruleCharacters: { held: 2, add: addRule('accessRule') },
};

/** The result of an addition: for an exceeded limit, its message. */
const outcomeOf = async (addition: ReturnType<Addition>): Promise<string> =>
  (await addition).match(
    () => 'accepted',
    (error) =>
      // Only `InvalidInput` has violations.
      (error as Partial<InvalidInput>).violations?.map(({ message }) => message).join() ?? error.type,
  );

describe('the limits of the operator', () => {
  it('are for zones 500 by default, and for what is in a zone 100, 50, 100, 20 and 50', () => {
    expect(defaultUsageLimits).to.include({
      zones: 500,
      configurationRules: 100,
      rewriteRules: 200,
      accessRules: 100,
      securityScenarios: 20,
      basicAuthUsers: 50,
    });
  });

  for (const name of usageLimitNames.filter((each) => each !== 'storageBytes')) {
    it(`hold for ${name}, and are reported`, async () => {
      const { held, add } = additions[name];
      const place = await aPlace({ [name]: 2 });
      const outcomes: string[] = [];
      for (const number of [1, 2, 3]) outcomes.push(await outcomeOf(add(place, number)));
      const taken = 2 - held;
      expect(outcomes.slice(0, taken)).to.deep.equal(Array.from({ length: taken }, () => 'accepted'));
      expect(outcomes[taken]).to.match(/at most 2 /);
      // What is counted in a zone leaves others alone.
      if (!/Rules$|Scenarios$|Users$|changeSets$/.test(name)) return;
      const other = { ...place, zone: await aZone(place.world, place.owner, { name: 'Other' }) };
      expect(await outcomeOf(add(other, 4))).to.equal('accepted');
    });
  }
});

describe('the limits of an organization', () => {
  const limit = ({ world, organization }: Place, changes: LimitChanges) =>
    changeOrganizationLimits(world)(operator, organization, changes);

  it('replace those of the operator until they are reset, and are recorded', async () => {
    const place = await aPlace({ rewriteRules: 2, members: 7 });
    const before = auditActionsIn(place.world).length;
    const { own, inForce } = await valueOf(limit(place, { rewriteRules: 3, zones: 1 }));
    expect(own).to.deep.equal({ rewriteRules: 3, zones: 1 });
    expect(inForce).to.include({ rewriteRules: 3, zones: 1, members: 7 });
    const { add } = additions.rewriteRules;
    for (const number of [1, 2, 3]) expect(await outcomeOf(add(place, number))).to.equal('accepted');
    expect(await outcomeOf(add(place, 4))).to.match(/at most 3 /);
    expect(await outcomeOf(additions.zones.add(place, 2))).to.match(/at most 1 /);
    await valueOf(limit(place, { rewriteRules: undefined }));
    await valueOf(limit(place, { rewriteRules: undefined, zones: 1 }));
    expect(await outcomeOf(add(place, 4))).to.match(/at most 2 /);
    const entries = auditEntries(place.world).slice(before);
    const changes = entries.filter(({ action }) => action === 'organization.limitsChanged');
    expect(changes.map(({ objects, organization }) => ({ objects, organization }))).to.deep.equal([
      { objects: { rewriteRules: '3', zones: '1' }, organization: place.organization },
      { objects: { rewriteRules: 'default' }, organization: place.organization },
    ]);
    expect(await valueOf(readOrganizationLimits(place.world)(place.organization))).to.deep.equal(
      await valueOf(limit(place, {})),
    );
  });

  it('are whole numbers up to their ceilings, for an existing organization', async () => {
    const place = await aPlace();
    const wrong = { zones: -1, members: 1.5, rewriteRules: 1001, accessRules: Number.NaN, backends: 2000 };
    expect(await refusalOf(limit(place, wrong))).to.deep.equal(
      ['zones', 'members', 'rewriteRules', 'accessRules'].map((name) => `${name} number.range`),
    );
    const missing = OrganizationId.parse(2_000_000_000);
    expect(await refusalOf(limit({ ...place, organization: missing }, { zones: 1 }))).to.deep.equal([
      'OrganizationNotFound',
    ]);
  });

  it('let what exceeds them stay, change and shrink, but not grow', async () => {
    const place = await aPlace();
    const { world, owner, organization, zone, server } = place;
    const contents = ['a', 'b', 'c'].map((name) => ({ id: undefined, content: aRuleDraft(name).content }));
    const replaced = (wanted: typeof contents) =>
      refusalOf(replaceRules(world)(owner, configurationRulesOf(zone), wanted, undefined));
    expect(await replaced(contents)).to.deep.equal(['accepted']);
    const other = await aServer(world, owner, organization, 'second');
    const { id } = await aBalancer(world, owner, organization, 'Main', [over(server), over(other)]);
    await valueOf(limit(place, { configurationRules: 1, origins: 1 }));
    const more = [...contents, { id: undefined, content: aRuleDraft('d').content }];
    expect(await replaced(more)).to.deep.equal([' zone.configurationRules.limit']);
    expect(await replaced(contents.toReversed())).to.deep.equal(['accepted']);
    expect(await replaced(contents.slice(1))).to.deep.equal(['accepted']);
    const { usage } = await valueOf(readZone(world)(owner, zone.id));
    expect(usage.configurationRules).to.deep.equal({ used: 2, limit: 1 });
    const balanced = (origins: readonly object[]) =>
      refusalOf(updateLoadBalancer(world)(owner, organization, id, { origins } as JsonObject, undefined));
    expect(await balanced([over(other), over(server)])).to.deep.equal(['accepted']);
    const third = await aServer(world, owner, organization, 'third');
    expect(await balanced([over(other), over(server), over(third)])).to.deep.equal(['origins list.tooLong']);
  });

  it('keep existing conditions, whatever else changes in their rule', async () => {
    const place = await aPlace({ addresses: 3 });
    const { world, owner, zone } = place;
    await valueOf(additions.addresses.add(place, 3));
    const [rule] = await rulesIn(world, configurationRulesOf(zone));
    await valueOf(limit(place, { addresses: 2 }));
    const patch = (body: JsonObject) =>
      refusalOf(updateRule(world)(owner, configurationRulesOf(zone), rule!.id, body, undefined));
    expect(await patch({ description: 'changed' })).to.deep.equal(['accepted']);
    const value = '192.0.2.1, 192.0.2.2, 192.0.2.9';
    const conditions = { logic: 'and', conditions: [{ field: 'ip', operator: 'in', value }] };
    expect(await patch({ conditions })).to.deep.equal(['conditions.conditions[0].value condition.list.tooLong']);
    const facts = await valueOf(parseRequestFacts({ url: 'https://a.example/' }).asyncMap(async (known) => known));
    const whole = await refusalOf(
      useCases(world).evaluateRequest(owner, zone.id, {
        facts,
        revision: undefined,
        patch: { configurationRules: { items: { [rule!.id]: { conditions } } } },
      }),
    );
    expect(whole).to.deep.equal([
      `patch.configurationRules.items.${rule!.id}.conditions.conditions[0].value condition.list.tooLong`,
    ]);
  });

  it('let conditions become as large as 5,000 addresses need', async () => {
    const place = await aPlace();
    const long = addList(
      'ip',
      (index) => `2001:db8:${index.toString(16).padStart(4, '0')}:ffff:ffff:ffff:ffff:ffff/128`,
    );
    expect(await outcomeOf(long(place, 501))).to.include('at most 500 are allowed');
    expect(await outcomeOf(long(place, 400))).to.include('at most 16384 bytes');
    await valueOf(limit(place, { addresses: 5000 }));
    expect(await outcomeOf(long(place, 5000))).to.equal('accepted');
    expect(await outcomeOf(long(place, 400))).to.equal('accepted');
  });
});
