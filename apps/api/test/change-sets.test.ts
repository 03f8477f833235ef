import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import {
  aMember,
  anOriginServer,
  aVerifiedUser,
  aZone,
  someConditions,
  type User,
  unique,
  type ZoneBody,
} from './support/arrange.ts';
import { expectProblem, type Reply } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import {
  type AnyRuleBody,
  aChangeSet,
  aRuleIn,
  type ChangeSetBody,
  changeSetsOf,
  historyOf,
  listOf,
  tagOf,
} from './support/zone-contents.ts';
import { readZone } from './support/zone-history.ts';

const plain = { accept: 'application/json' };

describe('Change sets', () => {
  let service: MemoryService;
  let ada: User;
  let zone: ZoneBody;
  /** An id that no rule has yet. */
  let someId: string;

  before(async () => {
    service = await openMemoryService();
    ada = await aVerifiedUser(service);
  });
  beforeEach(async () => {
    zone = await aZone(ada);
    someId = randomUUID();
  });
  after(() => service.close());

  const path = () => `/api/zones/${zone.id}`;
  const create = (body: unknown) => ada.post(changeSetsOf(zone), body, plain);
  const one = ({ id }: ChangeSetBody) => `${changeSetsOf(zone)}/${id}`;
  const read = async (set: ChangeSetBody) => (await ada.get(one(set), plain)).json() as ChangeSetBody;
  const apply = (set: ChangeSetBody, tag = '*') =>
    ada.post(`${one(set)}/apply`, undefined, { ...plain, 'if-match': tag });
  const rebase = (set: ChangeSetBody, resolve?: Readonly<Record<string, string>>) =>
    ada.post(`${one(set)}/rebase`, resolve && { resolve }, plain);
  const ok = async (reply: Promise<Reply>): Promise<ChangeSetBody> => {
    const answer = await reply;
    expect(answer.status, answer.text).to.be.within(200, 204);
    // Deletions have no response body.
    return (answer.status === 204 ? {} : answer.json()) as ChangeSetBody;
  };
  const settings = (zone_settings: Readonly<Record<string, unknown>>) => ({ patch: { zone_settings } });
  const setZone = (zone_settings: Readonly<Record<string, unknown>>) => ok(ada.patch(path(), { zone_settings }));
  const namesIn = async (list: 'configurationRules' | 'accessRules') =>
    (await readZone(ada, zone))[list].map(({ name }) => name);
  const revisions = async () => (await historyOf(ada, zone)).length;

  describe('operations', () => {
    const kind = 'configurationRule';
    let first: AnyRuleBody;
    let second: AnyRuleBody;
    beforeEach(async () => {
      first = await aRuleIn(ada, zone, 'configurationRules', { name: 'first' });
      second = await aRuleIn(ada, zone, 'configurationRules', { name: 'second' });
    });
    const value = (name: string) => ({ name, conditions: someConditions() });

    it('are applied in sequence, can refer to objects created earlier, and form one revision', async () => {
      const before = await revisions();
      const iri = (id: string) => `${listOf(zone, 'configurationRules')}/${id}`;
      const operations = [
        { op: 'create', kind, id: someId, value: value('third'), before: iri(first.id) },
        { op: 'create', kind, value: value('fourth'), position: 1 },
        { op: 'update', kind, id: iri(someId), patch: { name: 'first', settingsOverrides: { minifyHtml: true } } },
        { op: 'update', kind, id: first.id, patch: { name: 'was first' } },
        { op: 'move', kind, id: first.id, position: 1 },
        { op: 'delete', kind, id: second.id },
        { op: 'settings', patch: { cachingDefaultTtl: 60, minifyHtml: null } },
        {
          op: 'create',
          kind: 'securityScenario',
          value: { definition: `name: s\ntype: trigger\nfilter: ${JSON.stringify(someConditions())}` },
        },
      ];
      const set = await aChangeSet(ada, zone, { operations });
      expect(set.operations?.map(({ op, id }) => [op, typeof id])).to.deep.equal(
        operations.map(({ op }) => [op, op === 'settings' ? 'undefined' : 'string']),
      );
      expect(set.operations?.[0]).to.deep.equal(operations[0]);
      expect(await revisions()).to.equal(before);
      const applied = await ok(apply(set));
      expect(applied).to.deep.include({ status: 'applied', appliedRevision: before + 1 });
      expect(await namesIn('configurationRules')).to.deep.equal(['was first', 'fourth', 'first']);
      const after = await readZone(ada, zone);
      expect(after.zone_settings['cachingDefaultTtl']).to.equal(60);
      expect(after.securityScenarios).to.have.length(1);
      const [revision] = await historyOf(ada, zone);
      expect(revision).to.deep.include({ action: 'changeSet.applied', objects: { changeSet: set.id } });
    });

    it('can swap names, and may have no effect', async () => {
      const exchange = await aChangeSet(ada, zone, {
        operations: [
          { op: 'update', kind, id: first.id, patch: { name: 'second' } },
          { op: 'update', kind, id: second.id, patch: { name: 'first' } },
        ],
      });
      await ok(apply(exchange));
      expect(await namesIn('configurationRules')).to.deep.equal(['second', 'first']);
      const nothing = await aChangeSet(ada, zone, { operations: [] });
      const before = await revisions();
      expect(await ok(apply(nothing))).to.deep.include({ status: 'applied', appliedRevision: before });
      expect(await revisions()).to.equal(before);
    });

    const refused: readonly (readonly [what: string, operations: () => readonly unknown[], ...violations: string[]])[] =
      [
        [
          'no operation',
          () => [{ op: 'copy' }, 7, {}],
          'operations[0].op: value.choice',
          'operations[1]: member.type',
          'operations[2].op: member.required',
        ],
        [
          'an unknown member',
          () => [{ op: 'delete', kind, id: first.id, order: 1 }],
          'operations[0].order: member.unknown',
        ],
        [
          'a position in the value',
          () => [{ op: 'create', kind, value: { ...value('x'), order: 1 } }],
          'operations[0].value.order: member.unknown',
        ],
        [
          'an invalid patch, also of settings',
          () => [
            { op: 'update', kind, id: first.id, patch: { name: '' } },
            { op: 'settings', patch: { cachingDefaultTtl: -1 } },
          ],
          'operations[0].patch.name: text.tooShort',
          'operations[1].patch.cachingDefaultTtl: settings.range',
        ],
        [
          'unknown rules',
          () => [
            { op: 'update', kind, id: someId, patch: {} },
            { op: 'delete', kind: 'accessRule', id: first.id },
            { op: 'move', kind, id: first.id, after: someId },
          ],
          'operations[0].id: rule.unknown',
          'operations[1].id: rule.unknown',
          'operations[2].after: rule.unknown',
        ],
        [
          'two places, and none',
          () => [
            { op: 'create', kind, value: value('x'), position: 1, before: first.id },
            { op: 'move', kind, id: first.id },
          ],
          'operations[0]: rule.move.target',
          'operations[1]: rule.move.target',
        ],
        [
          'a move of a scenario',
          () => [{ op: 'move', kind: 'securityScenario', id: someId, position: 1 }],
          'operations[0].kind: value.choice',
        ],
        [
          'ids in use, in this and another list',
          () => [
            { op: 'create', kind, id: first.id, value: value('x') },
            { op: 'create', kind: 'accessRule', id: second.id, value: { ...value('y'), action: 'block' } },
          ],
          'operations[0].id: rule.id.taken',
          'operations[1].id: rule.id.taken',
        ],
        [
          'an id that is not in lower case',
          () => [{ op: 'create', kind, id: someId.toUpperCase(), value: value('x') }],
          'operations[0].id: rule.id',
        ],
        [
          'a name in use, set by a later patch',
          () => [
            { op: 'create', kind, id: someId, value: value('x') },
            { op: 'update', kind, id: someId, patch: { name: 'first' } },
            { op: 'update', kind, id: someId, patch: { enabled: false } },
          ],
          'operations[1].patch.name: rule.name.duplicate',
        ],
        [
          'contradictory settings, also in a rule',
          () => [
            { op: 'update', kind, id: first.id, patch: { settingsOverrides: { imageOptimizationPngQualityMin: 90 } } },
            { op: 'settings', patch: { imageOptimizationPngQualityMax: 80, imageOptimizationPngQualityMin: 85 } },
          ],
          'operations[1].patch.imageOptimizationPngQualityMax: settings.quality.order',
          'operations[0].patch.settingsOverrides.imageOptimizationPngQualityMin: settings.quality.order',
        ],
        [
          'too many rules',
          () => Array.from({ length: 99 }, () => ({ op: 'create', kind, value: value(`rule-${unique()}`) })),
          'operations[98].value: zone.configurationRules.limit',
        ],
        [
          'too many operations',
          () => Array.from({ length: 501 }, () => ({ op: 'settings', patch: {} })),
          'operations: list.tooLong',
        ],
      ];
    for (const [what, operations, ...violations] of refused) {
      it(`are rejected with ${what}, and nothing is stored`, async () => {
        const reply = await create({ operations: operations() });
        expectProblem(reply, 422, 'validation-failed', violations);
        expect((await ada.get(changeSetsOf(zone), plain)).json()).to.deep.equal([]);
      });
    }

    it('reject the id of a rule in another zone, which may be deleted, or list', async () => {
      const otherZone = await aZone(ada);
      const other = await aRuleIn(ada, otherZone, 'accessRules');
      const operation = { op: 'create', kind: 'accessRule', value: { ...value('x'), action: 'block' } };
      const attempt = (id: string) => create({ operations: [{ ...operation, id }] });
      expectProblem(await attempt(other.id), 422, 'validation-failed', ['operations[0].id: rule.id.taken']);
      await ok(ada.delete(`/api/zones/${otherZone.id}`));
      expectProblem(await attempt(other.id), 422, 'validation-failed', ['operations[0].id: rule.id.taken']);
      await ok(ada.delete(`${listOf(zone, 'configurationRules')}/${first.id}`));
      expectProblem(await attempt(first.id), 422, 'validation-failed', ['operations[0].id: rule.id.taken']);
      const back = { op: 'create', kind, id: first.id, value: value('back') };
      await ok(apply(await aChangeSet(ada, zone, { operations: [back] })));
      expect((await readZone(ada, zone)).configurationRules.map(({ id }) => id)).to.include(first.id);
      await ok(ada.delete(`${listOf(zone, 'configurationRules')}/${first.id}`));
      const elsewhere = await aZone(ada);
      await aChangeSet(ada, elsewhere, { operations: [back] }).then(({ id }) =>
        ada.post(`${changeSetsOf(elsewhere)}/${id}/apply`, undefined, { 'if-match': '*' }),
      );
      const restored = await ada.post(`${path()}/revisions/3/restore`, undefined, plain);
      const place = `configurationRules.items.${first.id}: rule.id.taken`;
      expectProblem(restored, 422, 'validation-failed', [place]);
    });
  });

  describe('written as patches', () => {
    const refused: readonly (readonly [what: string, body: () => unknown, ...violations: string[]])[] = [
      ['neither', () => ({}), 'patch: member.required'],
      ['both', () => ({ patch: {}, operations: [] }), 'patch: changeSet.content'],
      ['no object', () => ({ patch: 7 }), 'patch: member.type'],
      ['another member', () => ({ patch: { name: 'x' } }), 'patch.name: member.unknown'],
      ['a base that does not exist', () => ({ ...settings({}), base: 7 }), 'base: revision.unknown'],
      [
        'an invalid setting',
        () => settings({ cachingDefaultTtl: -1 }),
        'patch.zone_settings.cachingDefaultTtl: settings.range',
      ],
      [
        'an incomplete order',
        () => ({
          patch: { accessRules: { items: { [someId]: { name: 'x', conditions: someConditions(), action: 'block' } } } },
        }),
        'patch.accessRules.order: list.order',
      ],
      [
        'an id in capital letters',
        () => ({ patch: { accessRules: { items: { [someId.toUpperCase()]: {} } } } }),
        'patch.accessRules.items.<ID>: rule.id',
      ],
      ['a long title', () => ({ ...settings({}), title: 'x'.repeat(256) }), 'title: text.tooLong'],
    ];
    for (const [what, body, ...violations] of refused) {
      it(`are rejected with ${what}`, async () =>
        expectProblem(
          await create(body()),
          422,
          'validation-failed',
          violations.map((each) => each.replace('<ID>', someId.toUpperCase())),
        ));
    }

    it('accept an id chosen by the client, and are returned as written', async () => {
      const rule = { name: 'mine', conditions: someConditions(), action: 'block', description: null };
      const patch = { accessRules: { order: [someId], items: { [someId]: rule } } };
      const set = await aChangeSet(ada, zone, { patch, title: 'T', description: 'D' });
      expect(set).to.deep.include({ patch, title: 'T', description: 'D', status: 'open', base: 1 });
      await ok(apply(set));
      expect((await readZone(ada, zone)).accessRules[0]).to.deep.include({ id: someId, description: '' });
    });

    it('revert a single revision with its inverse patch', async () => {
      await setZone({ minifyHtml: true });
      await setZone({ cachingDefaultTtl: 60 });
      const { inversePatch } = (await ada.get(`${path()}/revisions/2`, plain)).json() as { inversePatch: unknown };
      await ok(apply(await aChangeSet(ada, zone, { base: 2, patch: inversePatch })));
      expect((await readZone(ada, zone)).zone_settings).to.deep.include({ minifyHtml: false, cachingDefaultTtl: 60 });
    });

    it('can be based on a revision with missing references, if they leave those alone', async () => {
      const server = await anOriginServer(ada);
      await setZone({ defaultBackend: { type: 'origin_server', id: server.id } });
      await setZone({ defaultBackend: null });
      await ok(ada.delete(`/api/organizations/${ada.organization}/origin-servers/${server.id}`));
      const set = await aChangeSet(ada, zone, { base: 2, ...settings({ minifyHtml: true }) });
      await ok(apply(set));
      expect((await readZone(ada, zone)).zone_settings['minifyHtml']).to.equal(true);
      const again = { defaultBackend: { type: 'origin_server', id: server.id } };
      const reply = await create({ base: 1, ...settings(again) });
      expectProblem(reply, 422, 'validation-failed', ['patch.zone_settings.defaultBackend: backend.unknown']);
    });

    it('may have more than 256 KiB, and not more than 1 MiB', async () => {
      const page = (bytes: number) => settings({ customPagesErrorHtml: 'x'.repeat(bytes) });
      const [large, tooLarge] = [await create(page(300 * 1024)), await create(page(1024 * 1024))];
      expect([large.status, tooLarge.status]).to.deep.equal([large.status, 413]);
      expect(large.status).not.to.equal(413);
    });
  });

  describe('when the zone changes meanwhile', () => {
    it('merge where possible, and otherwise have conflicts', async () => {
      const set = await aChangeSet(ada, zone, settings({ minifyHtml: true, cachingDefaultTtl: 60 }));
      const tag = await tagOf(ada, one(set));
      await setZone({ underAttack: true });
      expect((await read(set)).status).to.equal('open');
      expect(await tagOf(ada, one(set))).to.equal(tag);
      await setZone({ cachingDefaultTtl: 30 });
      const conflicted = await read(set);
      expect(conflicted).to.deep.include({ status: 'conflicted', base: 1 });
      const conflict = { path: 'zone_settings.cachingDefaultTtl', theirs: 30, yours: 60 };
      expect(conflicted.conflicts).to.have.length(1);
      expect(conflicted.conflicts?.[0]).to.deep.include(conflict);
      const conflictedTag = await tagOf(ada, one(set));
      expect(conflictedTag).not.to.equal(tag);
      for (const reply of [
        await apply(set),
        await rebase(set),
        await ada.get(`${one(set)}/evaluation?url=https://a.example/`, plain),
      ]) {
        expectProblem(reply, 409, 'change-set-conflict');
        expect((reply.json() as ChangeSetBody).conflicts?.[0]).to.deep.include(conflict);
      }
      await setZone({ cachingDefaultTtl: 31 });
      expect(await tagOf(ada, one(set))).not.to.equal(conflictedTag);
      const unknown = await rebase(set, { '*': 'yours', 'zone_settings.minifyHtml': 'yours' });
      expectProblem(unknown, 422, 'validation-failed', ['resolve.zone_settings.minifyHtml: merge.noConflict']);
      const rebased = await ok(rebase(set, { 'zone_settings.cachingDefaultTtl': 'theirs' }));
      expect(rebased).to.deep.include({ status: 'open', base: 4, patch: { zone_settings: { minifyHtml: true } } });
      await ok(apply(set));
      expect((await readZone(ada, zone)).zone_settings).to.deep.include({
        minifyHtml: true,
        cachingDefaultTtl: 31,
        underAttack: true,
      });
    });

    it('are rejected at the patch when they have become invalid', async () => {
      const server = await anOriginServer(ada);
      const rule = { name: 'new', conditions: someConditions(), action: 'block' };
      const set = await aChangeSet(ada, zone, {
        operations: [
          { op: 'settings', patch: { defaultBackend: { type: 'origin_server', id: server.id } } },
          { op: 'create', kind: 'accessRule', id: someId, value: rule },
        ],
      });
      await aRuleIn(ada, zone, 'accessRules', { name: 'New' });
      await ok(ada.delete(`/api/organizations/${ada.organization}/origin-servers/${server.id}`));
      const violations = [
        'patch.zone_settings.defaultBackend: backend.unknown',
        `patch.accessRules.items.${someId}.name: rule.name.duplicate`,
      ];
      for (const reply of [await apply(set), await rebase(set)])
        expectProblem(reply, 422, 'validation-failed', violations);
      expect((await read(set)).status).to.equal('open');
    });
  });

  describe('apply', () => {
    it('requires the entity tag of the zone, and answers 412 with the current one', async () => {
      const set = await aChangeSet(ada, zone, settings({ minifyHtml: true }));
      expectProblem(await ada.post(`${one(set)}/apply`, undefined, plain), 428, 'precondition-required');
      const tag = await tagOf(ada, path());
      await setZone({ underAttack: true });
      const late = await apply(set, tag);
      expectProblem(late, 412, 'precondition-failed');
      await ok(apply(set, late.headers.get('etag') ?? ''));
    });

    it('succeeds once, and for every retry with the same Idempotency-Key', async () => {
      const other = await aChangeSet(ada, zone, settings({ minifyHtml: true }));
      const again = () =>
        ada.post(`${one(other)}/apply`, undefined, { ...plain, 'if-match': '*', 'idempotency-key': `k-${other.id}` });
      expect([(await again()).status, (await again()).status]).to.deep.equal([200, 200]);
      expect(await revisions()).to.equal(2);
    });
  });

  describe('when closed', () => {
    it('answer reads, and 409 to everything else; an applied one evaluates its revision', async () => {
      const [applied, discarded] = [
        await aChangeSet(ada, zone, settings({ minifyHtml: true })),
        await aChangeSet(ada, zone),
      ];
      const question = '/evaluation?url=https://a.example/';
      const draft = (await ada.get(`${one(applied)}${question}`, plain)).json();
      expect(draft).to.deep.include({ draft: true, revision: 1 });
      await ok(apply(applied));
      await ok(ada.delete(one(discarded)));
      await setZone({ underAttack: true });
      expect((await ada.get(`${one(applied)}${question}`, plain)).json()).to.deep.include({
        draft: false,
        revision: 2,
      });
      expectProblem(await ada.get(`${one(discarded)}${question}`, plain), 409, 'change-set-closed');
      for (const [set, status] of [
        [applied, 'applied'],
        [discarded, 'discarded'],
      ] as const) {
        expect((await read(set)).status).to.equal(status);
        for (const reply of [
          await ada.patch(one(set), { title: 'x' }),
          await ada.delete(one(set)),
          await rebase(set),
          await apply(set),
        ]) {
          expectProblem(reply, 409, 'change-set-closed');
        }
      }
    });
  });

  describe('when updated', () => {
    it('are replaced completely, and rebased onto the current revision unless another one is given', async () => {
      const set = await aChangeSet(ada, zone, { operations: [{ op: 'settings', patch: { minifyHtml: true } }] });
      await setZone({ underAttack: true });
      const change = (body: unknown, tag?: string) =>
        ada.patch(one(set), body, { ...plain, ...(tag === undefined ? {} : { 'if-match': tag }) });
      const renamed = await ok(change({ title: 'x' }));
      expect(renamed).to.deep.include({ title: 'x', base: 1 });
      expect(renamed.operations).to.have.length(1);
      const patch = { zone_settings: { minifyHtml: null, cachingDefaultTtl: 7 } };
      const patched = await ok(change({ patch, title: null }, await tagOf(ada, one(set))));
      expect(patched).to.deep.include({ title: '', base: 2, patch });
      expect(patched).not.to.have.any.keys('operations');
      expect(await ok(change({ ...settings({}), base: 1 }))).to.deep.include({ base: 1 });
      expectProblem(await change({ base: 2 }), 422, 'validation-failed', ['base: changeSet.base']);
      expectProblem(await change({ title: 'y' }, '"other"'), 412, 'precondition-failed');
    });
  });

  describe('in the list', () => {
    it('are sorted newest first, filtered by status, creator and title, without their changes', async () => {
      const editor = await aMember(service, ada, 'editor');
      const [old, mine, theirs] = [
        await aChangeSet(ada, zone, { ...settings({ minifyHtml: true }), title: 'Old one' }),
        await aChangeSet(ada, zone, { patch: {}, title: 'mine' }),
        await aChangeSet(editor, zone, { patch: {}, title: 'THEIRS' }),
      ];
      await ok(ada.delete(one(mine)));
      await setZone({ minifyHtml: true, cachingDefaultTtl: 1 });
      await setZone({ minifyHtml: false });
      await ok(apply(theirs));
      const listed = async (query: string) => {
        const reply = await ada.get(`${changeSetsOf(zone)}?${query}`, plain);
        expect(reply.status, reply.text).to.equal(200);
        const items = reply.json() as readonly (ChangeSetBody & { readonly title: string })[];
        for (const item of items) expect(item).not.to.have.any.keys('patch', 'operations', 'conflicts');
        return items.map(({ title, status }) => `${title} ${status}`);
      };
      expect(await listed('')).to.deep.equal(['THEIRS applied', 'mine discarded', 'Old one open']);
      await setZone({ minifyHtml: true });
      expect(await listed('order[createdAt]=asc&status[]=open&status[]=discarded')).to.have.length(2);
      expect(await listed('status=applied')).to.deep.equal(['THEIRS applied']);
      expect(await listed(`createdBy=${editor.id}`)).to.deep.equal(['THEIRS applied']);
      expect(await listed('q=ONE')).to.deep.equal(['Old one open']);
      await setZone({ minifyHtml: false });
      await ok(ada.patch(one(old), settings({ cachingDefaultTtl: 5 })));
      await setZone({ cachingDefaultTtl: 6 });
      expect(await listed('status=conflicted')).to.deep.equal(['Old one conflicted']);
      expect(await listed('status=open')).to.deep.equal([]);
      expectProblem(await ada.get(`${changeSetsOf(zone)}?status=closed`, plain), 422, 'validation-failed', [
        'status: value.choice',
      ]);
    });
  });
});
