import {
  type ApiTokenDraft,
  ApiTokenDraft as ApiTokenDraftSchema,
  defaultTokenPermissions,
  type PlainApiToken,
  unauthenticated,
} from '@zonewright/core';
import { expect } from 'chai';
import { err, ok, okAsync } from 'neverthrow';
import { createApiToken } from '../../../../src/accounts/api-tokens/create-api-token.ts';
import { revokeApiToken } from '../../../../src/accounts/api-tokens/own-api-tokens.ts';
import { authenticate } from '../../../../src/accounts/sessions/authenticate.ts';
import { parse } from '../../../../src/kernel/shared/parse.ts';
import { createZone } from '../../../../src/zones/zone-changes/create-zone.ts';
import { listZones } from '../../../../src/zones/zones/list-zones.ts';
import { anOrganization, callerOf, setRole } from '../../../support/organizations.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { noClient } from '../../../support/people.ts';
import { entriesDuring } from '../../../support/traces.ts';
import { aWorldWithCaller } from '../../../support/two-factor.ts';
import { aWorld, everythingIn, hours, inTables, type World } from '../../../support/world.ts';
import { anOrganizationWithZone, aZone, aZoneDraft } from '../../../support/zones.ts';

const aDraft = (changes: object = {}): ApiTokenDraft => ApiTokenDraftSchema.parse({ name: 'Backups', ...changes });
const page = { page: 1, itemsPerPage: 100 };
const recognize = (world: World, token: string) => authenticate(world)({ kind: 'API token', token }, noClient);
const inAnHour = (world: World) => new Date(world.clock.now().getTime() + hours(1) * 1000).toISOString();

const aWorldWithToken = async (changes: object = {}) => {
  const arranged = await aWorldWithCaller();
  const created = await valueOf(createApiToken(arranged.world)(arranged.caller, aDraft(changes)));
  return { ...arranged, ...created };
};

describe('createApiToken', () => {
  it('returns the plain token once, and stores only its hash', async () => {
    const { world, id, caller } = await aWorldWithCaller();
    const hashes: string[] = [];
    const tokenHashes: World['tokenHashes'] = {
      of: (token) => {
        hashes.push(token);
        return `hash ${hashes.length}` as never;
      },
    };
    const { token, plainToken } = await valueOf(createApiToken({ ...world, tokenHashes })(caller, aDraft()));
    expect(plainToken).to.match(/^zw_[0-9A-Za-z]{36}$/);
    expect(hashes).to.deep.equal([plainToken]);
    expect(JSON.stringify([...everythingIn(world).apiTokens.values()])).to.not.include(plainToken);
    expect(token).to.deep.equal({
      id: token.id,
      name: 'Backups',
      prefix: plainToken.slice(0, 8),
      readOnly: false,
      organizations: [],
      permissions: defaultTokenPermissions,
      zones: undefined,
      networks: undefined,
      expiresAt: undefined,
      lastUsedAt: undefined,
      lastUsedNetwork: undefined,
      active: true,
      createdAt: world.clock.now(),
    });
    expect(everythingIn(world).apiTokens.get(token.id)).to.include({ userId: id, hash: 'hash 1' });
  });

  it('stores scope, expiry and whether it is read-only', async () => {
    const { world, id, caller } = await aWorldWithCaller();
    const [own] = [...caller.memberships.keys()];
    expect(own).to.not.equal(undefined);
    const draft = aDraft({ readOnly: true, organizations: [own, own], expiresAt: inAnHour(world) });
    const { token } = await valueOf(createApiToken(world)(callerOf(world, id), draft));
    expect(token).to.deep.include({ readOnly: true, organizations: [own], expiresAt: new Date(inAnHour(world)) });
  });

  it('refuses organizations the caller does not belong to, each at its index', async () => {
    const { world, caller } = await aWorldWithCaller();
    const [own] = [...caller.memberships.keys()];
    const foreign = anOrganization(world);
    const draft = aDraft({ organizations: [foreign, own, 2_000_000_000] });
    const before = everythingIn(world);
    expect(await refusalOf(createApiToken(world)(caller, draft))).to.deep.equal([
      'organizations[0] organization.foreign',
      'organizations[2] organization.foreign',
    ]);
    expect(everythingIn(world)).to.deep.equal(before);
  });

  it('refuses a name that differs from another one in case only, until that is revoked', async () => {
    const { world, caller, token } = await aWorldWithToken();
    const create = createApiToken(world);
    const again = aDraft({ name: 'BACKUPS' });
    expect(await refusalOf(create(caller, again))).to.deep.equal(['name apiToken.name.duplicate']);
    await valueOf(revokeApiToken(world)(caller, token.id));
    expect(await refusalOf(create(caller, again))).to.deep.equal(['accepted']);
  });

  const refused: readonly (readonly [what: string, members: object, ...refusals: string[]])[] = [
    ['no name', { name: undefined }, 'name member.required'],
    ['no permissions', { permissions: [] }, 'permissions list.tooShort'],
    ['an unknown permission', { permissions: ['root'] }, 'permissions[0] value.choice'],
    ['no zones', { zones: [] }, 'zones list.tooShort'],
    ['no networks', { networks: [] }, 'networks list.tooShort'],
    ['51 networks', { networks: Array(51).fill('::1') }, 'networks list.tooLong'],
    ['an invalid network', { networks: ['203.0.113.0/33'] }, 'networks[0] network.syntax'],
    ['an unknown member', { userId: 'x' }, 'userId member.unknown'],
  ];
  for (const [what, members, ...refusals] of refused) {
    it(`refuses ${what}`, async () => {
      expect(
        await refusalOf(okAsync().andThen(() => parse(ApiTokenDraftSchema, { name: 'a', ...members }))),
      ).to.deep.equal(refusals);
    });
  }

  it('gives a token for some zones nothing that reaches beyond them by default, and never admin', async () => {
    const world = aWorld();
    const { owner, zone } = await anOrganizationWithZone(world);
    const create = (members: object) =>
      createApiToken(world)(callerOf(world, owner.userId), aDraft({ zones: [zone.id], ...members }));
    const { token } = await valueOf(create({ name: 'one' }));
    expect(token.permissions).to.deep.equal(['zones:read', 'zones:write', 'rules:write', 'purges:write']);
    const wider = await valueOf(create({ name: 'two', permissions: ['backends:write', 'audit:read'] }));
    expect(wider.token.permissions).to.deep.equal(['backends:write', 'audit:read']);
    expect(await refusalOf(create({ name: 'three', permissions: ['zones:read', 'admin'] }))).to.deep.equal([
      'permissions apiToken.admin.limited',
    ]);
  });

  it('refuses a zone that the caller cannot read', async () => {
    const { world, caller } = await aWorldWithCaller();
    const draft = aDraft({ zones: ['0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e'] });
    expect(await refusalOf(createApiToken(world)(caller, draft))).to.deep.equal(['zones[0] zone.unreadable']);
  });

  it('refuses an expiry time that is not in the future', async () => {
    const { world, caller } = await aWorldWithCaller();
    for (const seconds of [0, -1]) {
      const expiresAt = new Date(world.clock.now().getTime() + seconds * 1000).toISOString();
      const outcome = createApiToken(world)(caller, aDraft({ expiresAt }));
      expect(await refusalOf(outcome)).to.deep.equal(['expiresAt date.past']);
    }
  });

  it('records it without the token', async () => {
    const { world, caller } = await aWorldWithCaller();
    const plain: PlainApiToken[] = [];
    const entries = await entriesDuring(world, () =>
      createApiToken(world)(caller, aDraft()).map(({ plainToken }) => plain.push(plainToken)),
    );
    const [id] = [...everythingIn(world).apiTokens.keys()];
    expect(entries.map(({ action, objects }) => ({ action, objects }))).to.deep.equal([
      { action: 'apiToken.created', objects: { apiToken: id } },
    ]);
    expect(JSON.stringify(entries)).to.not.include(plain[0]);
  });
});

describe('authenticate with an API token', () => {
  for (const readOnly of [true, false]) {
    it(`authenticates the user with a token that is ${readOnly ? '' : 'not '}read-only`, async () => {
      const { world, id, caller, token, plainToken } = await aWorldWithToken({ readOnly });
      expect(await recognize(world, plainToken)).to.deep.equal(
        ok({
          userId: id,
          credential: {
            kind: 'apiToken',
            id: token.id,
            readOnly,
            scoped: false,
            permissions: defaultTokenPermissions,
            zones: undefined,
          },
          memberships: caller.memberships,
          client: noClient,
        }),
      );
    });
  }

  it('grants nothing outside its scope, neither in lists nor in writes', async () => {
    const { world, id, caller } = await aWorldWithCaller();
    const [own] = [...caller.memberships.keys()];
    const other = anOrganization(world);
    setRole(world, other, id, 'owner');
    const everywhere = callerOf(world, id);
    await aZone(world, everywhere, { name: 'in', organization: own });
    await aZone(world, everywhere, { name: 'out', organization: other });
    const { plainToken } = await valueOf(createApiToken(world)(everywhere, aDraft({ organizations: [own] })));
    const program = await valueOf(recognize(world, plainToken));
    expect([...program.memberships.keys()]).to.deep.equal([own]);
    expect(program.credential).to.include({ scoped: true });
    const query = { organization: undefined, tags: [], search: undefined, sort: [], ...page };
    const { items } = await valueOf(listZones(world)(program, query));
    expect(items.map(({ name }) => name)).to.deep.equal(['in']);
    const outside = createZone(world)(program, aZoneDraft({ name: 'new', organization: other }));
    expect(await refusalOf(outside)).to.deep.equal(['PermissionDenied']);
    const inside = createZone(world)(program, aZoneDraft({ name: 'new', organization: own }));
    expect(await refusalOf(inside)).to.deep.equal(['accepted']);
  });

  it('refuses a mistyped token without looking it up', async () => {
    const { world, plainToken } = await aWorldWithToken();
    const refuse = () => expect.fail('It was looked up.');
    const never = { run: refuse, single: refuse, view: refuse, session: refuse };
    const flipped = plainToken.endsWith('0') ? '1' : '0';
    const mistyped = [
      '',
      'zw_',
      'garbage',
      `${plainToken}0`,
      plainToken.slice(0, -1),
      plainToken.slice(0, -1) + flipped,
    ];
    for (const token of mistyped) {
      const outcome = authenticate({ ...world, unitOfWork: never })({ kind: 'API token', token }, noClient);
      expect(await outcome).to.deep.equal(err(unauthenticated()));
    }
  });

  it('refuses a well-formed token that was never created', async () => {
    const { world, plainToken } = await aWorldWithToken();
    inTables(world, ({ apiTokens }) => apiTokens.clear());
    expect(await recognize(world, plainToken)).to.deep.equal(err(unauthenticated()));
  });

  it('is not accepted as an access token, nor vice versa', async () => {
    const { world, plainToken } = await aWorldWithToken();
    const outcome = await authenticate(world)({ kind: 'access token', token: plainToken }, noClient);
    expect(outcome).to.deep.equal(err(unauthenticated()));
  });
});

describe('revokeApiToken', () => {
  it('ends the token immediately', async () => {
    const { world, caller, token, plainToken } = await aWorldWithToken();
    expect(await revokeApiToken(world)(caller, token.id)).to.deep.equal(ok());
    expect(await recognize(world, plainToken)).to.deep.equal(err(unauthenticated()));
  });

  it('records which token was revoked', async () => {
    const { world, caller, token } = await aWorldWithToken();
    const entries = await entriesDuring(world, () => revokeApiToken(world)(caller, token.id));
    expect(entries.map(({ action, objects }) => ({ action, objects }))).to.deep.equal([
      { action: 'apiToken.revoked', objects: { apiToken: token.id } },
    ]);
  });
});
