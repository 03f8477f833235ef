import { expect } from 'chai';
import { anOriginServer, aVerifiedUser, aZone, type User, type ZoneBody } from './support/arrange.ts';
import { expectProblem } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import { aRuleIn, listOf } from './support/zone-contents.ts';

type Members = Readonly<Record<string, unknown>>;

interface BehaviourBody {
  readonly complete: boolean;
  readonly harmless: boolean;
  readonly message: string;
  readonly changes: readonly {
    readonly key: string;
    readonly from: unknown;
    readonly to: unknown;
    readonly because: { readonly before: readonly string[]; readonly after: readonly string[] };
    readonly witness: Members;
  }[];
}

const onPath = (value: string) => ({
  logic: 'and',
  conditions: [{ field: 'uri', operator: 'starts_with', value }],
});

/** Revision 1 has no rules, 2 and 3 add rules, 4 reorders them, 5 changes a setting; the backend changes in between. */
describe('The behaviour of revisions', () => {
  let service: MemoryService;
  let ada: User;
  let zone: ZoneBody;
  let block: string;
  let backend: string;

  before(async () => {
    service = await openMemoryService();
    ada = await aVerifiedUser(service);
    const server = await anOriginServer(ada, { port: 8001 });
    backend = `/api/organizations/${ada.organization}/origin-servers/${server.id}`;
    zone = await aZone(ada, { zone_settings: { defaultBackend: { type: 'origin', id: server.id } } });
    const one = await aRuleIn(ada, zone, 'accessRules', { name: 'Admin', conditions: onPath('/admin/') });
    await aRuleIn(ada, zone, 'accessRules', { name: 'Blog', conditions: onPath('/blog/') });
    block = `${listOf(zone, 'accessRules')}/${one.id}`;
    expect((await ada.post(`${block}/move`, { position: 2 })).status).to.equal(200);
    expect((await ada.patch(backend, { port: 8002 })).status).to.equal(200);
    expect((await ada.patch(`/api/zones/${zone.id}`, { zone_settings: { cachingDefaultTtl: 7 } })).status).to.equal(
      200,
    );
    expect((await ada.patch(backend, { port: 8003 })).status).to.equal(200);
  });
  after(() => service.close());

  const at = (from: number, to: number, query = '') =>
    `/api/zones/${zone.id}/revisions/${from}/behaviour/${to}${query}`;
  const read = async (from: number, to: number, query?: string): Promise<BehaviourBody> => {
    const reply = await ada.get(at(from, to, query));
    expect(reply.status, reply.text).to.equal(200);
    return reply.json() as BehaviourBody;
  };

  it('lists what requests get, why, and an example request', async () => {
    const { complete, harmless, message, changes } = await read(1, 2);
    expect({ complete, harmless, message }).to.deep.equal({
      complete: true,
      harmless: false,
      message: 'Exactly one kind of request is treated differently. This is proven.',
    });
    const [only] = changes;
    expect(only).to.deep.include({
      key: 'answer',
      to: { disposition: 'block', status: 403 },
      because: { before: [], after: [block] },
    });
    for (const [revision, disposition] of [
      [1, 'serve'],
      [2, 'block'],
    ] as const) {
      const body = { request: only?.witness, revision };
      expect((await ada.post(`/api/zones/${zone.id}/evaluation`, body)).json()).to.include({ disposition });
    }
  });

  it('is proven unchanged for a harmless reordering', async () => {
    expect(await read(3, 4, '?backends=now')).to.deep.include({
      complete: true,
      harmless: true,
      message: 'The new order makes no difference to any request. This is proven.',
      changes: [],
    });
  });

  it("uses the backends of each revision's time, or the current ones", async () => {
    const ports = async (from: number, to: number, query?: string) =>
      (await read(from, to, query)).changes
        .filter(({ key }) => key === 'backend')
        .map(({ from: before, to: after, because }) => [JSON.stringify([before, after]).match(/800\d/g), because]);
    const because = { before: [backend], after: [backend] };
    // The backends when revision 4 was created, and when it was last current.
    expect(await ports(4, 4)).to.deep.equal([[['8001', '8002'], because]]);
    expect(await ports(1, 5)).to.deep.equal([[['8001', '8003'], because]]);
    expect(await ports(4, 5, '?backends=now')).to.deep.equal([]);
    expect(await read(4, 4, '?backends=now')).to.include({ harmless: true });
  });

  it('has the same members in both formats, an entity tag, and JSON-LD keys on demand', async () => {
    const reply = await ada.get(at(1, 2));
    const plain = reply.json() as BehaviourBody;
    expect(Object.keys(plain)).to.deep.equal([
      'zone',
      'from',
      'to',
      'backends',
      'analysisVersion',
      'complete',
      'harmless',
      'message',
      'changes',
    ]);
    expect(plain).to.deep.include({ zone: `/api/zones/${zone.id}`, from: 1, to: 2, backends: 'then' });
    expect(Object.keys(plain.changes[0] ?? {})).to.deep.equal(['key', 'from', 'to', 'because', 'message', 'witness']);
    const tag = reply.headers.get('etag') ?? expect.fail();
    expect((await ada.get(at(1, 2), { 'if-none-match': tag })).status).to.equal(304);
    expect((await ada.get(at(1, 2), { accept: 'application/ld+json' })).json()).to.deep.equal({
      '@context': '/api/contexts/BehaviourDiff',
      '@id': at(1, 2),
      '@type': 'BehaviourDiff',
      ...plain,
      changes: plain.changes.map((each) => ({ '@type': 'BehaviourChange', ...each })),
    });
  });

  it('is rejected for unknown revisions and backends', async () => {
    for (const path of [at(9, 1), at(1, 9), at(0, 1)]) expectProblem(await ada.get(path), 404, 'not-found');
    expectProblem(await ada.get(at(1, 2, '?backends=later')), 422, 'validation-failed', ['backends: value.choice']);
  });
});
