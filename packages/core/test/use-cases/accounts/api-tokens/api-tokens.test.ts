import {
  type ApiTokenDraft,
  ApiTokenDraft as ApiTokenDraftSchema,
  ApiTokenId,
  apiTokenNotFound,
  defaultTokenPermissions,
  defaultUsageLimits,
  type PlainApiToken,
  unauthenticated,
} from '@zonewright/core';
import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import { createApiToken } from '../../../../src/accounts/api-tokens/create-api-token.ts';
import { listApiTokens, revokeApiToken } from '../../../../src/accounts/api-tokens/own-api-tokens.ts';
import { authenticate } from '../../../../src/accounts/sessions/authenticate.ts';
import { createZone } from '../../../../src/zones/zone-changes/create-zone.ts';
import { listZones } from '../../../../src/zones/zones/list-zones.ts';
import { anOrganization, callerOf, changeOrganization, setRole } from '../../../support/organizations.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aUser, changeUser, noClient } from '../../../support/people.ts';
import { entriesDuring } from '../../../support/traces.ts';
import { aWorldWithCaller } from '../../../support/two-factor.ts';
import { days, everythingIn, hours, inTables, type World } from '../../../support/world.ts';
import { aZone, aZoneDraft } from '../../../support/zones.ts';

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

  it('allows the same name for two users', async () => {
    const { world } = await aWorldWithToken();
    const eve = callerOf(world, await aUser(world, { email: 'eve@example.org' }));
    expect(await refusalOf(createApiToken(world)(eve, aDraft()))).to.deep.equal(['accepted']);
  });

  it('refuses an expiry time that is not in the future', async () => {
    const { world, caller } = await aWorldWithCaller();
    for (const seconds of [0, -1]) {
      const expiresAt = new Date(world.clock.now().getTime() + seconds * 1000).toISOString();
      const outcome = createApiToken(world)(caller, aDraft({ expiresAt }));
      expect(await refusalOf(outcome)).to.deep.equal(['expiresAt date.past']);
    }
  });

  it('allows fifty active tokens per user; revoked and expired ones do not count', async () => {
    const { world, caller } = await aWorldWithCaller();
    const create = createApiToken(world);
    const first = await valueOf(create(caller, aDraft({ name: 'first', expiresAt: inAnHour(world) })));
    const second = await valueOf(create(caller, aDraft({ name: 'second' })));
    for (let index = 2; index < defaultUsageLimits.apiTokens; index += 1) {
      await valueOf(create(caller, aDraft({ name: `token ${index}` })));
    }
    expect(first.token.active).to.equal(true);
    expect(await refusalOf(create(caller, aDraft({ name: 'one more' })))).to.deep.equal([' apiToken.limit']);
    await valueOf(revokeApiToken(world)(caller, second.token.id));
    expect(await refusalOf(create(caller, aDraft({ name: 'one more' })))).to.deep.equal(['accepted']);
    expect(await refusalOf(create(caller, aDraft({ name: 'another' })))).to.deep.equal([' apiToken.limit']);
    world.clock.advance(hours(1));
    expect(await refusalOf(create(caller, aDraft({ name: 'another' })))).to.deep.equal(['accepted']);
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

  it('grants later memberships only if it is unscoped', async () => {
    const { world, id, caller, plainToken } = await aWorldWithToken();
    const [own] = [...caller.memberships.keys()];
    const limited = await valueOf(createApiToken(world)(caller, aDraft({ name: 'limited', organizations: [own] })));
    const joined = anOrganization(world);
    setRole(world, joined, id, 'viewer');
    setRole(world, own!, id, undefined);
    const reach = async (token: string) => [...(await valueOf(recognize(world, token))).memberships.keys()];
    expect(await reach(plainToken)).to.deep.equal([joined]);
    expect(await reach(limited.plainToken)).to.deep.equal([]);
  });

  it('has no access to an organization that requires a second factor the user lacks', async () => {
    const { world, caller, plainToken } = await aWorldWithToken();
    const [own] = [...caller.memberships.keys()];
    changeOrganization(world, own!, { enforceTwoFactor: true });
    const program = await valueOf(recognize(world, plainToken));
    expect(program.memberships.get(own!)).to.deep.equal({ role: 'owner', needsTwoFactor: true });
  });

  it('works until it expires, and no longer', async () => {
    const { world, plainToken } = await aWorldWithToken({
      expiresAt: new Date(Date.parse('2026-03-01T13:00:00Z')).toISOString(),
    });
    world.clock.advance(hours(1) - 1);
    expect((await recognize(world, plainToken)).isOk()).to.equal(true);
    world.clock.advance(1);
    expect(await recognize(world, plainToken)).to.deep.equal(err(unauthenticated()));
  });

  it('works for years without expiry', async () => {
    const { world, plainToken } = await aWorldWithToken();
    world.clock.advance(days(3650));
    expect((await recognize(world, plainToken)).isOk()).to.equal(true);
  });

  for (const change of [{ active: false }, { emailVerified: false }]) {
    it(`refuses an account with ${JSON.stringify(change)}`, async () => {
      const { world, id, plainToken } = await aWorldWithToken();
      changeUser(world, id, change);
      expect(await recognize(world, plainToken)).to.deep.equal(err(unauthenticated()));
    });
  }

  it('records the use with a resolution of one minute', async () => {
    const { world, caller, plainToken } = await aWorldWithToken();
    const lastUsedAt = async () => (await valueOf(listApiTokens(world)(caller, page))).items[0]?.lastUsedAt;
    const first = world.clock.now();
    await valueOf(recognize(world, plainToken));
    world.clock.advance(59);
    await valueOf(recognize(world, plainToken));
    expect(await lastUsedAt()).to.deep.equal(first);
    world.clock.advance(1);
    await valueOf(recognize(world, plainToken));
    expect(await lastUsedAt()).to.deep.equal(world.clock.now());
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

describe('listApiTokens', () => {
  it('lists the caller’s tokens, newest first, including ended ones, without the secrets', async () => {
    const { world, caller, token, plainToken } = await aWorldWithToken();
    world.clock.advance(1);
    const newer = await valueOf(createApiToken(world)(caller, aDraft({ name: 'newer' })));
    const eve = callerOf(world, await aUser(world, { email: 'eve@example.org' }));
    await valueOf(createApiToken(world)(eve, aDraft()));
    await valueOf(revokeApiToken(world)(caller, token.id));
    const listed = await valueOf(listApiTokens(world)(caller, page));
    expect(listed).to.deep.equal({ items: [newer.token, { ...token, active: false }], totalItems: 2 });
    expect(JSON.stringify(listed)).to.not.include(plainToken);
  });
});

describe('revokeApiToken', () => {
  it('ends the token immediately', async () => {
    const { world, caller, token, plainToken } = await aWorldWithToken();
    expect(await revokeApiToken(world)(caller, token.id)).to.deep.equal(ok());
    expect(await recognize(world, plainToken)).to.deep.equal(err(unauthenticated()));
  });

  it('finds no token that is unknown, revoked or someone else’s, and changes nothing', async () => {
    const { world, caller, token } = await aWorldWithToken();
    const eve = callerOf(world, await aUser(world, { email: 'eve@example.org' }));
    const before = everythingIn(world);
    expect(await revokeApiToken(world)(eve, token.id)).to.deep.equal(err(apiTokenNotFound()));
    const unknown = ApiTokenId.parse('00000000-0000-7000-8000-00000000ffff');
    expect(await revokeApiToken(world)(caller, unknown)).to.deep.equal(err(apiTokenNotFound()));
    expect(everythingIn(world)).to.deep.equal(before);
    await valueOf(revokeApiToken(world)(caller, token.id));
    expect(await revokeApiToken(world)(caller, token.id)).to.deep.equal(err(apiTokenNotFound()));
  });

  it('records which token was revoked', async () => {
    const { world, caller, token } = await aWorldWithToken();
    const entries = await entriesDuring(world, () => revokeApiToken(world)(caller, token.id));
    expect(entries.map(({ action, objects }) => ({ action, objects }))).to.deep.equal([
      { action: 'apiToken.revoked', objects: { apiToken: token.id } },
    ]);
  });
});
