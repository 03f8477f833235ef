import {
  type Backend,
  BackendId,
  backendVersion,
  type Caller,
  type JsonObject,
  loadBalancerNotFound,
  OrganizationId,
  organizationNotFound,
  originServerNotFound,
  permissionDenied,
  roles,
  twoFactorRequired,
  useCases,
  versionMismatch,
} from '@zonewright/core';
import { expect } from 'chai';
import { err, ok, type ResultAsync } from 'neverthrow';
import { aBalancer, aBalancerDraft, aServer, aServerDraft, over } from '../../../support/backends.ts';
import {
  aMember,
  anOutsider,
  aWorldWithOrganization,
  callerOf,
  changeOrganization,
  setRole,
} from '../../../support/organizations.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { entriesDuring } from '../../../support/traces.ts';
import { everythingIn, type World } from '../../../support/world.ts';

const missing = OrganizationId.parse(2_000_000_000);
const unknown = BackendId.parse('00000000-0000-7000-8000-00000000ffff');
const page = { page: 1, itemsPerPage: 100 };

type Outcome<T> = ResultAsync<T, { readonly type: string }>;
type Expected = readonly string[] | undefined;

/** What both kinds of backends have in common. */
interface Kind {
  readonly notFound: { readonly type: string };
  readonly add: (world: World, caller: Caller, organization: OrganizationId, name: string) => Promise<Backend>;
  readonly create: (caller: Caller, organization: OrganizationId) => Outcome<Backend>;
  readonly list: (caller: Caller, organization: OrganizationId) => Outcome<{ items: readonly Backend[] }>;
  readonly read: (caller: Caller, organization: OrganizationId, id: BackendId) => Outcome<Backend>;
  readonly update: (
    caller: Caller,
    organization: OrganizationId,
    id: BackendId,
    patch?: JsonObject,
    expected?: Expected,
  ) => Outcome<Backend>;
  readonly remove: (caller: Caller, organization: OrganizationId, id: BackendId, expected?: Expected) => Outcome<void>;
}

const serversOf = (world: World): Kind => {
  const cases = useCases(world);
  return {
    notFound: originServerNotFound(),
    add: aServer,
    create: (caller, organization) => cases.createOriginServer(caller, organization, aServerDraft('New')),
    list: (caller, organization) => cases.listOriginServers(caller, organization, page),
    read: cases.readOriginServer,
    update: (caller, organization, id, patch = {}, expected) =>
      cases.updateOriginServer(caller, organization, id, patch, expected),
    remove: (caller, organization, id, expected) => cases.deleteOriginServer(caller, organization, id, expected),
  };
};

const balancersOf = (world: World): Kind => {
  const cases = useCases(world);
  const overNew = async (caller: Caller, organization: OrganizationId, name: string) => [
    over(await aServer(world, caller, organization, `under ${name}`)),
  ];
  return {
    notFound: loadBalancerNotFound(),
    add: async (_, caller, organization, name) =>
      aBalancer(world, caller, organization, name, await overNew(caller, organization, name)),
    create: (caller, organization) =>
      cases.createLoadBalancer(caller, organization, aBalancerDraft('New', [over({ id: unknown })])),
    list: (caller, organization) => cases.listLoadBalancers(caller, organization, page),
    read: cases.readLoadBalancer,
    update: (caller, organization, id, patch = {}, expected) =>
      cases.updateLoadBalancer(caller, organization, id, patch, expected),
    remove: (caller, organization, id, expected) => cases.deleteLoadBalancer(caller, organization, id, expected),
  };
};

for (const [name, kindIn] of [
  ['originServer', serversOf],
  ['loadBalancer', balancersOf],
] as const) {
  const arrange = async () => {
    const arranged = aWorldWithOrganization();
    const kind = kindIn(arranged.world);
    const backend = await kind.add(arranged.world, arranged.owner, arranged.organization, 'Main');
    return { ...arranged, ...kind, backend };
  };

  describe(`backends of the kind ${name}`, () => {
    for (const role of roles) {
      it(`are shown to a role of ${role}`, async () => {
        const { world, organization, backend, list, read } = await arrange();
        const caller = aMember(world, organization, role);
        expect((await valueOf(list(caller, organization))).items).to.deep.equal([backend]);
        expect(await read(caller, organization, backend.id)).to.deep.equal(ok(backend));
      });
    }

    it('are refused to outsiders and without a required second factor; writes also to viewers', async () => {
      const { world, organization, owner, backend, ...kind } = await arrange();
      const editor = aMember(world, organization, 'editor');
      const revoked = callerOf(world, editor.userId);
      setRole(world, organization, editor.userId, 'viewer');
      const calls = (caller: Caller) => ({
        reads: [kind.list(caller, organization), kind.read(caller, organization, backend.id)],
        writes: [
          kind.create(caller, organization),
          kind.update(caller, organization, backend.id),
          kind.update(caller, organization, unknown),
          kind.remove(caller, organization, backend.id),
        ],
      });
      const { reads, writes } = calls(anOutsider(world));
      for (const read of reads) expect(await read).to.deep.equal(err(permissionDenied('backends.read')));
      for (const write of [...writes, ...calls(revoked).writes]) {
        expect(await write).to.deep.equal(err(permissionDenied('backends.write')));
      }
      changeOrganization(world, organization, { enforceTwoFactor: true });
      const all = calls(callerOf(world, owner.userId));
      for (const call of [...all.reads, ...all.writes]) {
        expect(await call).to.deep.equal(err(twoFactorRequired(organization)));
      }
    });

    it('are not found if they, or the organization, do not exist', async () => {
      const { world, organization, owner, backend, notFound, ...kind } = await arrange();
      const outsider = anOutsider(world);
      const [[other]] = [[...outsider.memberships.keys()]];
      for (const call of [kind.read, kind.update, kind.remove]) {
        expect(await call(owner, organization, unknown)).to.deep.equal(err(notFound));
        expect(await call(outsider, other!, backend.id)).to.deep.equal(err(notFound));
        expect(await call(owner, missing, backend.id)).to.deep.equal(err(organizationNotFound()));
      }
      for (const call of [kind.list, kind.create]) {
        expect(await call(owner, missing)).to.deep.equal(err(organizationNotFound()));
      }
    });

    it('are changed and deleted only in the expected version, whether or not the patch is valid', async () => {
      const { world, organization, owner, backend, update, remove } = await arrange();
      const before = everythingIn(world);
      const mismatch = err(versionMismatch(backendVersion(backend)));
      for (const patch of [{ name: 'Other' }, { name: '' }, {}]) {
        expect(await update(owner, organization, backend.id, patch, ['9', 'x'])).to.deep.equal(mismatch);
      }
      expect(await remove(owner, organization, backend.id, ['9'])).to.deep.equal(mismatch);
      expect(everythingIn(world)).to.deep.equal(before);
      const version = backendVersion(backend);
      const changed = await valueOf(update(owner, organization, backend.id, { name: 'Other' }, ['9', version]));
      const removed = remove(owner, organization, backend.id, [backendVersion(changed)]);
      expect(await refusalOf(removed)).to.deep.equal(['accepted']);
    });

    it('are recorded with every change', async () => {
      const { world, organization, owner, add, update, remove } = await arrange();
      const entries = await entriesDuring(world, async () => {
        const { id } = await add(world, owner, organization, 'Second');
        await valueOf(update(owner, organization, id, { name: 'Third' }));
        await valueOf(remove(owner, organization, id));
      });
      const own = entries.filter(({ objects }) => name in objects);
      const id = own[0]?.objects[name];
      expect(own.map(({ action, organization: of, objects }) => ({ action, of, objects }))).to.deep.equal([
        { action: `${name}.created`, of: organization, objects: { [name]: id } },
        { action: `${name}.changed`, of: organization, objects: { [name]: id } },
        { action: `${name}.deleted`, of: organization, objects: { [name]: id, name: 'Third' } },
      ]);
    });
  });
}
