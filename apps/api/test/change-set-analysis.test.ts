import { expect } from 'chai';
import { aVerifiedUser, aZone, type User, type ZoneBody } from './support/arrange.ts';
import { expectProblem } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import { aChangeSet, aRuleIn, changeSetsOf, listOf } from './support/zone-contents.ts';

type Members = Readonly<Record<string, unknown>>;

const onPath = (value: string) => ({ logic: 'and', conditions: [{ field: 'uri', operator: 'starts_with', value }] });

/** A zone with an unreachable rule, and a change set that adds another one and blocks a path. */
describe('What a change set does to all requests', () => {
  let service: MemoryService;
  let ada: User;
  let zone: ZoneBody;
  let set: string;
  /** Ids of the rules that the change set adds. */
  const [covered, blocks] = ['0193d5c0-0000-7000-8000-00000000000a', '0193d5c0-0000-7000-8000-00000000000b'];

  before(async () => {
    service = await openMemoryService();
    ada = await aVerifiedUser(service);
    zone = await aZone(ada);
    await aRuleIn(ada, zone, 'accessRules', { name: 'Blog', conditions: onPath('/blog/') });
    await aRuleIn(ada, zone, 'accessRules', { name: 'Posts', conditions: onPath('/blog/posts/') });
    const added = (id: string, name: string, path: string) => ({
      op: 'create',
      kind: 'accessRule',
      id,
      value: { name, action: 'block', conditions: onPath(path) },
    });
    const operations = [added(covered, 'Archive', '/blog/archive/'), added(blocks, 'Admin', '/admin/')];
    set = `${changeSetsOf(zone)}/${(await aChangeSet(ada, zone, { operations })).id}`;
  });
  after(() => service.close());

  const read = async (path: string): Promise<Members> => {
    const reply = await ada.get(path);
    expect(reply.status, reply.text).to.equal(200);
    return reply.json() as Members;
  };
  const findings = async () => {
    const { member, ...others } = await read(`${set}/findings`);
    const found = member as readonly { readonly message: string; readonly new: boolean }[];
    return { ...others, found: found.map((each) => [/rule “(\w+)”/.exec(each.message)?.[1], each.new]) };
  };
  const behaviour = async () => {
    const { changes, ...others } = await read(`${set}/behaviour`);
    const found = changes as readonly { readonly because: { readonly after: unknown }; readonly witness: Members }[];
    return {
      ...others,
      witnesses: found.map(({ witness }) => witness),
      because: found.map((each) => each.because.after),
    };
  };
  const rule = (id: string) => `${listOf(zone, 'accessRules')}/${id}`;

  it('includes findings of the draft, and marks new ones', async () => {
    const expected = { revision: 3, draft: true, complete: true, totalItems: 2 };
    expect(await findings()).to.deep.include({
      ...expected,
      found: [
        ['Posts', false],
        ['Archive', true],
      ],
    });
    expect(await read(`${set}/findings?rule=${covered}`)).to.include({ totalItems: 1 });
    expectProblem(await ada.get(`${zoneFindings()}?rule=${covered}`), 422, 'validation-failed', ['rule: rule.unknown']);
    const linked = (await ada.get(`${set}/findings`, { accept: 'application/ld+json' })).json() as Members;
    expect(linked).to.include({ '@id': `${set}/findings`, '@type': 'Findings' });
  });
  const zoneFindings = () => `/api/zones/${zone.id}/findings`;

  it('includes requests that would be treated differently', async () => {
    const { witnesses, ...found } = await behaviour();
    expect(found).to.deep.include({ from: 3, changeSet: set, backends: 'now', complete: true });
    expect(found).not.to.include.keys('to');
    expect(found.because).to.deep.equal([[rule(blocks)]]);
    const drafted = await ada.post(`${set}/evaluation`, { request: witnesses[0] });
    expect(drafted.json(), drafted.text).to.include({ disposition: 'block', draft: true });
    const now = await ada.post(`/api/zones/${zone.id}/evaluation`, { request: witnesses[0] });
    expect(now.json()).not.to.include({ disposition: 'block' });
  });

  it('is empty for an applied set that is already in effect', async () => {
    const zone = await aZone(ada);
    await ada.patch(`/api/zones/${zone.id}`, { zone_settings: { minifyHtml: true } });
    const created = await ada.post(`/api/zones/${zone.id}/change-sets`, { patch: {} });
    const path = created.headers.get('location') ?? '';
    expect((await ada.post(`${path}/apply`, {}, { 'if-match': '*' })).status).to.equal(200);
    expect((await ada.get(`${path}/behaviour`)).json()).to.include({ from: 2, to: 2, harmless: true });
  });

  it('refers to the created revision for an applied set', async () => {
    const applied = await ada.post(`${set}/apply`, {}, { 'if-match': '*' });
    expect(applied.status, applied.text).to.equal(200);
    expect(await findings()).to.deep.include({
      revision: 4,
      draft: false,
      found: [
        ['Posts', false],
        ['Archive', false],
      ],
    });
    const { witnesses: _, ...found } = await behaviour();
    expect(found).to.deep.include({ from: 3, to: 4, changeSet: set, because: [[rule(blocks)]] });
  });

  it('is rejected for closed and conflicted sets', async () => {
    const discarded = `${changeSetsOf(zone)}/${(await aChangeSet(ada, zone)).id}`;
    expect((await ada.delete(discarded)).status).to.equal(204);
    const patch = { zone_settings: { cachingDefaultTtl: 1 } };
    const conflicted = `${changeSetsOf(zone)}/${(await aChangeSet(ada, zone, { patch })).id}`;
    const changed = await ada.patch(`/api/zones/${zone.id}`, { zone_settings: { cachingDefaultTtl: 2 } });
    expect(changed.status).to.equal(200);
    for (const part of ['findings', 'behaviour']) {
      expectProblem(await ada.get(`${discarded}/${part}`), 409, 'change-set-closed');
      expectProblem(await ada.get(`${conflicted}/${part}`), 409, 'change-set-conflict');
    }
  });
});
