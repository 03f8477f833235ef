import {
  DomainId,
  type DomainState,
  type HostNameRules,
  type JsonObject,
  type OrganizationId,
  PromotionDraft,
  parseChangeSet,
  RevisionNumber,
  useCases,
} from '@zonewright/core';
import { expect } from 'chai';
import { ok } from 'neverthrow';
import { DomainName } from '../../../../src/organizations/domains/dns-names.ts';
import { aMember, anOrganization, programOf, setRole } from '../../../support/organizations.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aUser } from '../../../support/people.ts';
import { queuedMails } from '../../../support/traces.ts';
import { aWorld, inTables } from '../../../support/world.ts';
import { aZoneDraft } from '../../../support/zones.ts';

const off: HostNameRules = { own: undefined, verification: 'off' };

/** An organization that controls example.com, with a zone, and another organization. */
async function aPlace(rules?: HostNameRules) {
  const world = aWorld({}, rules);
  const cases = useCases(world);
  const [organization, elsewhere] = [anOrganization(world), anOrganization(world)];
  const owner = aMember(world, organization, 'owner');
  const stranger = aMember(world, elsewhere, 'owner');
  const setDomain = (of: OrganizationId, name: string, state: DomainState | undefined) =>
    inTables(world, ({ domains }) => {
      for (const [id, { domain }] of domains) {
        if (domain.organizationId === of && domain.name === name) domains.delete(id);
      }
      if (state === undefined) return;
      const id = DomainId.parse(world.randomness.uuid());
      const at = world.clock.now();
      const times = { createdAt: at, updatedAt: at, checkedAt: at, nextCheckAt: undefined, verifiedAt: at };
      const members = { name: DomainName.parse(name), proof: '', problem: undefined, revision: 1, state };
      const domain = { id, organizationId: of, ...members, ...times };
      domains.set(id, { domain, stateSince: at, misses: 0, missingSince: undefined });
    });
  setDomain(organization, 'example.com', 'verified');
  const create = (hostnames: readonly string[], changes: object = {}, caller = owner) =>
    cases.createZone(caller, aZoneDraft({ hostnames, ...changes }));
  const zone = await valueOf(create([]));
  const patch = (body: JsonObject) => cases.updateZone(owner, zone.id, body, undefined);
  const read = async () => (await valueOf(cases.readZone(owner, zone.id))).zone;
  return { world, cases, organization, elsewhere, owner, stranger, zone, setDomain, create, patch, read };
}

describe('the host names of a zone', () => {
  for (const [state, codes] of [
    [undefined, ['hostnames[0] hostname.notCovered', 'hostnames[1] hostname.notCovered']],
    ['pending', ['hostnames[0] hostname.notCovered', 'hostnames[1] hostname.notCovered']],
    ['lapsed', ['hostnames[0] hostname.notCovered', 'hostnames[1] hostname.notCovered']],
    ['lapsing', ['accepted']],
    ['verified', ['accepted']],
  ] as const) {
    it(`need a domain that covers them: ${state}`, async () => {
      const { organization, setDomain, create, patch } = await aPlace();
      setDomain(organization, 'example.com', state);
      const names = ['example.com', '*.a.example.com'];
      expect(await refusalOf(create(names, { name: 'Other' })), 'POST').to.deep.equal(codes);
      const others = names.map((name) => name.replace('*.', '*.b.').replace(/^e/, 'www.e'));
      expect(await refusalOf(patch({ hostnames: others })), 'PATCH').to.deep.equal(codes);
    });
  }

  it('are not covered by a sibling, a part of a label, or a domain of another organization', async () => {
    const { elsewhere, setDomain, patch } = await aPlace();
    setDomain(elsewhere, 'theirs.example', 'verified');
    const hostnames = ['myexample.com', 'theirs.example', 'www.theirs.example', 'ok.example.com'];
    expect(await refusalOf(patch({ hostnames }))).to.deep.equal([
      'hostnames[0] hostname.notCovered',
      'hostnames[1] hostname.notCovered',
      'hostnames[2] hostname.notCovered',
    ]);
  });

  it('need no domain if the installation does not verify, but are never its own', async () => {
    const { create } = await aPlace({ ...off, own: 'zones.example.net' });
    await valueOf(create(['www.anything.example'], { name: 'Other' }));
    const own = create(['zones.example.net', '*.example.net', '*.zones.example.net'], { name: 'Third' });
    expect(await refusalOf(own)).to.deep.equal(['hostnames[0] hostname.own', 'hostnames[1] hostname.own']);
  });

  it('are named in the refusal along with everything else that is wrong', async () => {
    const { create, patch } = await aPlace();
    await valueOf(create(['www.example.com'], { name: 'Other' }));
    const settings = { basicAuth: { enabled: true, allowedUserIds: [] } };
    const body = { name: 'other', hostnames: ['a.example.com', 'www.example.com'], zone_settings: settings };
    expect(await refusalOf(patch(body))).to.deep.equal([
      'name zone.name.duplicate',
      'hostnames[1] hostname.taken',
      'zone_settings.basicAuth.enabled basicAuth.noUser',
    ]);
    expect(await refusalOf(create(['www.example.com'], { name: 'Other' }))).to.deep.equal([
      'name zone.name.duplicate',
      'hostnames[0] hostname.taken',
    ]);
  });

  it('say which zone has a name only to those who can read it', async () => {
    const { world, cases, elsewhere, setDomain, create, owner, stranger, zone, patch } = await aPlace();
    setDomain(elsewhere, 'example.com', 'verified');
    await valueOf(create(['www.example.com'], { name: 'Secret' }));
    const messageOf = async (refused: ReturnType<typeof create | typeof patch>) =>
      (await refused).match(
        () => 'accepted',
        (error) => ('violations' in error ? error.violations.map(({ message }) => message).join() : error.type),
      );
    expect(await messageOf(create(['www.example.com'], { name: 'Mine' }))).to.match(/"Secret" \(prod\)/);
    const change = { hostnames: ['www.example.com'] };
    expect(await messageOf(patch(change))).to.match(/"Secret" \(prod\)/);
    const limited = programOf(world, owner.userId, { zones: [zone.id] });
    for (const refused of [
      create(['www.example.com'], {}, stranger),
      cases.updateZone(limited, zone.id, change, undefined),
    ])
      expect(await messageOf(refused)).to.equal('Another zone has this host name.');
  });

  it('are taken from a zone that no longer proves them, and those who administer it get a mail', async () => {
    const { world, cases, organization, elsewhere, owner, stranger, setDomain, create, patch, read } = await aPlace();
    for (const role of ['admin', 'editor'] as const) {
      setRole(world, organization, await aUser(world, { email: `${role}@example.org` }), role);
    }
    await valueOf(patch({ hostnames: ['a.example.com', 'b.example.com', 'c.example.com'] }));
    setDomain(organization, 'example.com', 'lapsed');
    setDomain(elsewhere, 'example.com', 'verified');
    const wanted = ['a.example.com', 'c.example.com'];
    await valueOf(create(wanted, { name: 'Theirs' }, stranger));
    expect((await read()).hostnames).to.deep.equal(['b.example.com']);
    const about = { organization: 'Example', zone: 'Shop', hostnames: wanted };
    expect(queuedMails(world).filter(({ kind }) => kind === 'host-names-lost')).to.deep.equal([
      { kind: 'host-names-lost', to: 'admin@example.org', ...about, zone: (await read()).name },
    ]);
    // What was lost is not brought back by an undo.
    setDomain(organization, 'example.com', 'verified');
    const undone = cases.restoreRevision(owner, (await read()).id, RevisionNumber.parse(2), undefined);
    expect(await refusalOf(undone)).to.deep.equal(['hostnames[0] hostname.taken', 'hostnames[2] hostname.taken']);
  });

  it('stay when their domain lapses or is forgotten, whatever else is changed', async () => {
    const { organization, setDomain, patch, read } = await aPlace();
    await valueOf(patch({ hostnames: ['a.example.com', 'b.example.com'] }));
    setDomain(organization, 'example.com', undefined);
    await valueOf(patch({ zone_settings: { minifyHtml: true } }));
    await valueOf(patch({ hostnames: ['b.example.com', 'a.example.com'] }));
    expect((await read()).hostnames).to.deep.equal(['b.example.com', 'a.example.com']);
    expect(await refusalOf(patch({ hostnames: ['b.example.com', 'c.example.com'] }))).to.deep.equal([
      'hostnames[1] hostname.notCovered',
    ]);
  });

  it('are gone after a null, and leave no trace if nothing changes', async () => {
    const { patch, read } = await aPlace();
    const { revision } = await valueOf(patch({ hostnames: ['a.example.com'] }));
    expect((await valueOf(patch({ hostnames: ['A.Example.com'] }))).revision).to.equal(revision);
    await valueOf(patch({ hostnames: null }));
    expect((await read()).hostnames).to.deep.equal([]);
  });
});

describe('host names in history', () => {
  it('are part of the document, of patches in both directions, and of what is restored', async () => {
    const { cases, owner, zone, patch, read } = await aPlace();
    await valueOf(patch({ hostnames: ['a.example.com'] }));
    await valueOf(patch({ hostnames: ['b.example.com'] }));
    const { revision, state } = await valueOf(cases.readRevision(owner, zone.id, RevisionNumber.parse(3)));
    expect(revision.patch.value).to.deep.equal({ hostnames: ['b.example.com'] });
    expect(revision.inverse.value).to.deep.equal({ hostnames: ['a.example.com'] });
    expect(state.hostnames).to.deep.equal(['b.example.com']);
    const one = RevisionNumber.parse(1);
    const diff = await valueOf(cases.compareRevisions(owner, zone.id, one, RevisionNumber.parse(3)));
    expect(diff.inverse.value).to.deep.equal({ hostnames: [] });
    await valueOf(cases.restoreRevision(owner, zone.id, RevisionNumber.parse(2), undefined));
    expect((await read()).hostnames).to.deep.equal(['a.example.com']);
    await valueOf(cases.restoreRevision(owner, zone.id, one, undefined));
    expect((await read()).hostnames).to.deep.equal([]);
  });

  it('are refused or left out on restoration if they are taken, not covered or not valid any more', async () => {
    const { world, cases, owner, organization, setDomain, create, zone, patch, read } = await aPlace();
    setDomain(organization, 'other.example', 'verified');
    const hostnames = ['a.example.com', 'b.example.com', 'www.other.example'];
    await valueOf(patch({ hostnames }));
    await valueOf(patch({ hostnames: [] }));
    inTables(world, ({ revisions }) => {
      const invalid = (text: string) => text.replace('b.example.com', 'b..example.com');
      const rows = revisions
        .get(zone.id)!
        .map((row) =>
          row.patch === undefined
            ? row
            : { ...row, patch: { ...row.patch, value: JSON.parse(invalid(row.patch.text)) as JsonObject } },
        );
      revisions.set(zone.id, rows);
    });
    await valueOf(create(['a.example.com'], { name: 'Other' }));
    setDomain(organization, 'other.example', 'lapsed');
    const restore = (mode: 'refuse' | 'skip') =>
      cases.restoreRevision(owner, zone.id, RevisionNumber.parse(2), undefined, mode);
    expect(await refusalOf(restore('refuse'))).to.deep.equal(['hostnames[1] hostname.syntax']);
    expect(await valueOf(restore('skip'))).to.have.deep.members([
      { path: 'hostnames[0]', kind: 'hostname', name: 'a.example.com', effect: 'leftOut' },
      { path: 'hostnames[1]', kind: 'hostname', name: 'b..example.com', effect: 'leftOut' },
      { path: 'hostnames[2]', kind: 'hostname', name: 'www.other.example', effect: 'leftOut' },
    ]);
    expect((await read()).hostnames).to.deep.equal([]);
  });

  it('of states from before there were any are none', async () => {
    const { world, cases, owner, zone, patch, read } = await aPlace();
    await valueOf(patch({ hostnames: ['a.example.com'] }));
    inTables(world, ({ revisions }) => {
      const [first, ...others] = revisions.get(zone.id)!;
      const { hostnames: _, ...old } = first!.snapshot!.value;
      revisions.set(zone.id, [{ ...first!, snapshot: { ...first!.snapshot!, value: old } }, ...others]);
    });
    const one = RevisionNumber.parse(1);
    const { state } = await valueOf(cases.readRevision(owner, zone.id, one));
    expect(Object.keys(state).slice(0, 3)).to.deep.equal(['name', 'tag', 'hostnames']);
    expect(state.hostnames).to.deep.equal([]);
    await valueOf(cases.restoreRevision(owner, zone.id, one, undefined));
    expect((await read()).hostnames).to.deep.equal([]);
    const after = await valueOf(cases.readRevision(owner, zone.id, RevisionNumber.parse(3)));
    expect(after.state.hostnames).to.deep.equal([]);
  });
});

describe('host names in change sets and promotions', () => {
  const draft = (body: JsonObject) =>
    valueOf(Promise.resolve(parseChangeSet(body, { members: (_op, _kind, written) => ok(written), id: (id) => id })));

  it('are changed by a set, checked like a write, and conflict as a whole', async () => {
    const { cases, owner, create, zone, patch, read } = await aPlace();
    const refused = cases.createChangeSet(owner, zone.id, await draft({ patch: { hostnames: ['a.example.org'] } }));
    expect(await refusalOf(refused)).to.deep.equal(['patch.hostnames[0] hostname.notCovered']);
    const set = await valueOf(
      cases.createChangeSet(owner, zone.id, await draft({ patch: { hostnames: ['a.example.com'] } })),
    );
    const other = await valueOf(
      cases.createChangeSet(owner, zone.id, await draft({ patch: { hostnames: ['b.example.com'] } })),
    );
    await valueOf(cases.applyChangeSet(owner, zone.id, set.set.id, undefined));
    expect((await read()).hostnames).to.deep.equal(['a.example.com']);
    expect(await refusalOf(cases.applyChangeSet(owner, zone.id, other.set.id, undefined))).to.deep.equal([
      'MergeConflicted',
    ]);
    const resolve = { '*': 'yours' } as const;
    await valueOf(cases.rebaseChangeSet(owner, zone.id, other.set.id, resolve, undefined));
    await valueOf(patch({ zone_settings: { minifyHtml: true } }));
    await valueOf(create(['b.example.com'], { name: 'Other' }));
    expect(await refusalOf(cases.applyChangeSet(owner, zone.id, other.set.id, undefined))).to.deep.equal([
      'patch.hostnames[0] hostname.taken',
    ]);
  });

  it('stay those of the target of a promotion', async () => {
    const { cases, owner, create, zone, patch, read } = await aPlace();
    const source = await valueOf(create(['b.example.com'], { name: 'Source', zone_settings: { minifyHtml: true } }));
    await valueOf(patch({ hostnames: ['a.example.com'] }));
    const promotion = await valueOf(
      cases.promoteZone(owner, zone.id, PromotionDraft.parse({ from: source.id }), {
        target: undefined,
        source: undefined,
      }),
    );
    expect(JSON.stringify(promotion)).not.to.include('b.example.com');
    expect((await read()).hostnames).to.deep.equal(['a.example.com']);
  });
});
