import {
  BackendReference,
  type BasicAuthUser,
  type JsonObject,
  jsonDocument,
  mergePatch,
  type RuleId,
} from '@zonewright/core';
import { expect } from 'chai';
import { deleteLoadBalancer, deleteOriginServer } from '../../../../src/organizations/backends/delete-backend.ts';
import { updateLoadBalancer } from '../../../../src/organizations/backends/write-load-balancer.ts';
import { deleteBasicAuthUser } from '../../../../src/zones/basic-auth-users/delete-basic-auth-user.ts';
import { restoreRevision } from '../../../../src/zones/revisions/restore-revision.ts';
import { updateRule } from '../../../../src/zones/rules/update-rule.ts';
import { updateZone } from '../../../../src/zones/zone-changes/update-zone.ts';
import { aBalancer, aServer, over } from '../../../support/backends.ts';
import { aBasicAuthUser } from '../../../support/basic-auth-users.ts';
import { aWorldWithHistory } from '../../../support/history.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aRule, configurationRulesOf } from '../../../support/rules.ts';
import { inTables } from '../../../support/world.ts';

/** Things to refer to: two users, an origin server, and a load balancer over another one. */
async function aWorldToNameThingsIn() {
  const arranged = await aWorldWithHistory();
  const { world, organization, owner, zone } = arranged;
  const spare = await aServer(world, owner, organization, 'spare');
  const things = {
    ada: await aBasicAuthUser(world, owner, zone.id, 'ada'),
    bob: await aBasicAuthUser(world, owner, zone.id, 'bob'),
    server: await aServer(world, owner, organization, 'main'),
    balancer: await aBalancer(world, owner, organization, 'all', [
      over(spare),
      over(await aServer(world, owner, organization, 'second')),
    ]),
  };
  const rule = await aRule(world, owner, zone.id, 'rule');
  return { ...arranged, ...things, spare, rule };
}
type Arranged = Awaited<ReturnType<typeof aWorldToNameThingsIn>>;

const toServer = ({ server }: Arranged): JsonObject => ({ defaultBackend: { type: 'origin_server', id: server.id } });
const toBalancer = ({ balancer }: Arranged): JsonObject => ({
  defaultBackend: { type: 'load_balancer', id: balancer.id },
});
const forUsers = (enabled: boolean, ...users: readonly BasicAuthUser[]): JsonObject => ({
  basicAuth: { enabled, allowedUserIds: users.map(({ id }) => id) },
});

const withoutServer = ({ world, owner, organization, server }: Arranged) =>
  valueOf(deleteOriginServer(world)(owner, organization, server.id, undefined));
const withoutBalancer = ({ world, owner, organization, balancer }: Arranged) =>
  valueOf(deleteLoadBalancer(world)(owner, organization, balancer.id, undefined));
const withIdleBalancer = ({ world, owner, organization, balancer, spare }: Arranged) =>
  valueOf(
    updateLoadBalancer(world)(
      owner,
      organization,
      balancer.id,
      { origins: [{ originServer: spare.id, enabled: false }] },
      undefined,
    ),
  );
const without =
  (...names: readonly ('ada' | 'bob')[]) =>
  async ({ world, owner, zone, ...arranged }: Arranged) => {
    for (const name of names) await valueOf(deleteBasicAuthUser(world)(owner, zone.id, arranged[name].id, undefined));
  };

describe('restoreRevision, skipping missing references,', () => {
  /**
   * Restores an old state after the zone and its rule were reset and things were deleted; resolves to what is reported
   * as missing, and the resulting zone and rule.
   */
  async function restored(
    arranged: Arranged,
    { zone: settings = {}, rule: overrides = {} }: { readonly zone?: JsonObject; readonly rule?: JsonObject },
    vanish: (arranged: Arranged) => Promise<unknown>,
    present: JsonObject = {},
  ) {
    const { world, owner, zone, rule, number, document } = arranged;
    const changeRule = (settingsOverrides: JsonObject | null) =>
      valueOf(updateRule(world)(owner, configurationRulesOf(zone), rule.id, { settingsOverrides }, undefined));
    const changeZone = (zone_settings: JsonObject) =>
      valueOf(updateZone(world)(owner, zone.id, { zone_settings }, undefined));
    await changeRule(overrides);
    await changeZone({ ...settings, minifyHtml: true });
    const at = number();
    await changeRule(null);
    await changeZone({ defaultBackend: null, basicAuth: null, minifyHtml: null, ...present });
    await vanish(arranged);
    const outcome = restoreRevision(world)(owner, zone.id, at, undefined, 'skip');
    const refusal = await refusalOf(outcome);
    if (refusal[0] !== 'accepted') return refusal;
    const { zone_settings, configurationRules } = (await document()) as Record<string, JsonObject>;
    expect(zone_settings).to.include({ minifyHtml: true });
    const { defaultBackend, basicAuth } = zone_settings ?? {};
    const rules = configurationRules?.['items'] as Record<RuleId, JsonObject>;
    return {
      missing: await valueOf(outcome),
      zone: { defaultBackend, basicAuth },
      overrides: rules[rule.id]?.['settingsOverrides'],
    };
  }

  const ofZone = 'zone_settings';
  const ofRule = ({ rule }: Arranged) => `configurationRules.items.${rule.id}.settingsOverrides`;
  const nobody = { enabled: false, allowedUserIds: [] };

  it('reports nothing if nothing is missing', async () => {
    const arranged = await aWorldToNameThingsIn();
    const { missing } = (await restored(arranged, { zone: toServer(arranged) }, async () => {})) as {
      missing: unknown;
    };
    expect(missing).to.deep.equal([]);
  });

  for (const [what, name, wanted, vanish] of [
    ['a deleted origin server', 'main', toServer, withoutServer],
    ['a deleted load balancer', 'all', toBalancer, withoutBalancer],
    ['a load balancer without a usable origin', 'all', toBalancer, withIdleBalancer],
  ] as const) {
    it(`keeps the backend of the zone, and omits that of a rule, for ${what}`, async () => {
      const arranged = await aWorldToNameThingsIn();
      const backend = wanted(arranged);
      const { id } = BackendReference.parse(backend['defaultBackend']);
      const present = { defaultBackend: { type: 'origin_server', id: arranged.spare.id } };
      const result = await restored(
        arranged,
        { zone: backend, rule: { ...backend, minifyHtml: true } },
        vanish,
        present,
      );
      const part = { kind: 'backend', id, name } as const;
      expect(result).to.deep.equal({
        missing: [
          { path: `${ofZone}.defaultBackend`, ...part, effect: 'kept' },
          { path: `${ofRule(arranged)}.defaultBackend`, ...part, effect: 'leftOut' },
        ],
        zone: { ...present, basicAuth: nobody },
        overrides: { minifyHtml: true },
      });
    });
  }

  it('keeps the basic authentication of the zone if any of its users was deleted', async () => {
    const arranged = await aWorldToNameThingsIn();
    const { ada, bob } = arranged;
    const result = await restored(arranged, { zone: forUsers(true, ada, bob) }, without('ada'), forUsers(true, bob));
    expect(result).to.deep.equal({
      missing: [
        {
          path: `${ofZone}.basicAuth.allowedUserIds[0]`,
          kind: 'basicAuthUser',
          id: ada.id,
          name: 'ada',
          effect: 'kept',
        },
      ],
      zone: { defaultBackend: undefined, ...forUsers(true, bob) },
      overrides: {},
    });
  });

  it('keeps the basic authentication of the zone if it admitted every user and there are none', async () => {
    const arranged = await aWorldToNameThingsIn();
    const result = await restored(arranged, { zone: forUsers(true) }, without('ada', 'bob'));
    expect(result).to.deep.include({
      missing: [{ path: `${ofZone}.basicAuth.enabled`, kind: 'basicAuthUser', effect: 'kept' }],
      zone: { defaultBackend: undefined, basicAuth: nobody },
    });
  });

  for (const [what, enabled, names] of [
    ['some users of a rule', true, ['ada', 'bob']],
    ['all users of a rule whose basic authentication is off', false, ['ada']],
  ] as const) {
    it(`leaves out ${what}`, async () => {
      const arranged = await aWorldToNameThingsIn();
      const { ada, bob } = arranged;
      const users = names.map((name) => ({ ada, bob })[name]);
      const result = await restored(arranged, { rule: forUsers(enabled, ...users) }, without('ada'));
      const path = `${ofRule(arranged)}.basicAuth.allowedUserIds[0]`;
      expect(result).to.deep.include({
        missing: [{ path, kind: 'basicAuthUser', id: ada.id, name: 'ada', effect: 'leftOut' }],
        overrides: forUsers(enabled, ...users.filter((user) => user !== ada)),
      });
    });
  }

  it('refuses a rule that would admit every user without its deleted ones', async () => {
    const arranged = await aWorldToNameThingsIn();
    const { ada, rule } = arranged;
    expect(await restored(arranged, { rule: forUsers(true, ada) }, without('ada'))).to.deep.equal([
      `configurationRules.items.${rule.id} restore.basicAuth.nobody`,
    ]);
  });

  it('omits settings that no longer exist, and refuses anything else that is invalid', async () => {
    const arranged = await aWorldToNameThingsIn();
    const { world, owner, zone, rule, number } = arranged;
    const change = (patch: JsonObject) =>
      inTables(world, ({ revisions }) => {
        const [first, ...later] = revisions.get(zone.id) ?? [];
        const snapshot = jsonDocument(mergePatch(first?.snapshot?.value, patch));
        if (first !== undefined) revisions.set(zone.id, [{ ...first, snapshot }, ...later]);
      });
    change({
      zone_settings: { formerSetting: 1 },
      configurationRules: { items: { [rule.id]: { settingsOverrides: { formerOverride: true } } } },
    });
    const restore = (mode?: 'skip') => restoreRevision(world)(owner, zone.id, number(), undefined, mode);
    expect(await refusalOf(restore())).to.deep.equal([
      'zone_settings.formerSetting member.unknown',
      `configurationRules.items.${rule.id}.settingsOverrides.formerOverride member.unknown`,
    ]);
    const gone = (path: string, name: string) => ({ path, kind: 'setting', name, effect: 'leftOut' });
    expect(await valueOf(restore('skip'))).to.deep.equal([
      gone('zone_settings.formerSetting', 'formerSetting'),
      gone(`${ofRule(arranged)}.formerOverride`, 'formerOverride'),
    ]);
    change({ zone_settings: { cachingDefaultTtl: -1 } });
    expect(await refusalOf(restore('skip'))).to.deep.equal(['zone_settings.cachingDefaultTtl settings.range']);
  });
});
