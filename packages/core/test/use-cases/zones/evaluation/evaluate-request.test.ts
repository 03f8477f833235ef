import {
  type Caller,
  type DomainStorage,
  type EvaluationBudget,
  type JsonObject,
  type NamesOfZone,
  parseRequestFacts,
  type Repositories,
  revisionNotFound,
  shortEvaluation,
  storedDocument,
  type ZoneDocument,
  ZoneId,
  zoneNotFound,
} from '@zonewright/core';
import { expect } from 'chai';
import { err, okAsync } from 'neverthrow';
import { deleteOriginServer } from '../../../../src/organizations/backends/delete-backend.ts';
import { evaluateRequest } from '../../../../src/zones/evaluation/evaluate-request.ts';
import { updateZone } from '../../../../src/zones/zone-changes/update-zone.ts';
import { aServer } from '../../../support/backends.ts';
import { anOutsider } from '../../../support/organizations.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aWorldWithRule, onPath } from '../../../support/rules.ts';
import { everythingIn, inTables } from '../../../support/world.ts';

const facts = parseRequestFacts({ url: 'https://shop.example.com/a' }).match(
  (value) => value,
  () => expect.fail(),
);
const now = { facts, revision: undefined, patch: undefined };
const ruleId = '0193d5c0-0000-7000-8000-000000000001';

/** A zone whose rule overrides a setting for the path `/a` since revision 2. */
const arranged = async () => {
  const arrangedZone = await aWorldWithRule({ conditions: onPath('/a'), settingsOverrides: { cachingDefaultTtl: 60 } });
  const { world, owner, zone } = arrangedZone;
  const evaluate = evaluateRequest(world);
  const ask = (question: object, caller: Caller = owner, id = zone.id) => evaluate(caller, id, { ...now, ...question });
  /** The settings of an evaluation by key. */
  const ttl = async (question: object) => (await valueOf(ask(question))).evaluation.settings?.['cachingDefaultTtl'];
  const draft = (patch: JsonObject) => ask({ patch });
  return { ...arrangedZone, ask, ttl, draft };
};

describe('evaluateRequest', () => {
  it('evaluates the configuration, now and at any revision', async () => {
    const { rule, ask, ttl, patch, zone } = await arranged();
    const usual = { value: 604_800, from: 'zone', overwritten: [] };
    expect(await ttl({ revision: 1 })).to.deep.equal(usual);
    expect(await ttl({})).to.deep.equal({ value: 60, from: rule.id, overwritten: ['zone'] });
    await valueOf(patch({ enabled: false }));
    expect(await ttl({})).to.deep.equal(usual);
    expect(await ttl({ revision: 2 })).to.include({ value: 60 });
    expect(await valueOf(ask({}))).to.deep.include({ zoneId: zone.id, revision: 3, isDraft: false });
  });

  it('uses the current backends, whatever the revision', async () => {
    const { world, organization, owner, zone, ask } = await arranged();
    const { id } = await aServer(world, owner, organization, 'Web');
    const setBackend = (defaultBackend: JsonObject | null) =>
      valueOf(updateZone(world)(owner, zone.id, { zone_settings: { defaultBackend } }, undefined));
    await setBackend({ type: 'origin', id });
    const dispositionAt3 = async () => (await valueOf(ask({ revision: 3 }))).evaluation.disposition;
    expect(await dispositionAt3()).to.equal('serve');
    await setBackend(null);
    await valueOf(deleteOriginServer(world)(owner, organization, id, undefined));
    expect(await dispositionAt3()).to.equal('noBackend');
  });

  it('leaves what exceeds its budget to others, and decides permissions first', async () => {
    const { world, owner, zone, patch } = await arranged();
    const within = (evaluationBudget: EvaluationBudget, question = {}, caller: Caller = owner) =>
      evaluateRequest({ ...world, evaluationBudget })(caller, zone.id, { ...now, ...question }).match(
        () => 'evaluated',
        ({ type }) => type,
      );
    expect(await within(shortEvaluation)).to.equal('evaluated');
    expect(await within(shortEvaluation, { revision: 2 })).to.equal('evaluated');
    for (const question of [{ revision: 1 }, { revision: 99 }, { patch: {} }])
      expect(await within(shortEvaluation, question)).to.equal('EvaluationTooLong');
    expect(await within({ ...shortEvaluation, characters: 10 })).to.equal('EvaluationTooLong');
    const conditions = { logic: 'and', conditions: [{ field: 'path', operator: 'matches', value: '^/(a|b)+$' }] };
    await valueOf(patch({ conditions }));
    expect(await within(shortEvaluation)).to.equal('evaluated');
    expect(await within({ ...shortEvaluation, work: 0 })).to.equal('EvaluationTooLong');
    expect(await within(shortEvaluation, { patch: {} }, anOutsider(world))).to.equal('PermissionDenied');
  });

  it('fails if the zone or the revision does not exist', async () => {
    const { owner, ask } = await arranged();
    const missing = ZoneId.parse('00000000-0000-7000-8000-999999999999');
    expect(await ask({}, owner, missing)).to.deep.equal(err(zoneNotFound()));
    for (const revision of [-1, 0, 3, 2 ** 40]) {
      expect(await ask({ revision }), String(revision)).to.deep.equal(err(revisionNotFound()));
    }
  });

  it('reads documents of old revisions, which have different members', async () => {
    const { world, zone, ask, ttl } = await arranged();
    const zone_settings = { cachingDefaultTtl: 7, gone: 1 };
    const rule = { name: 'Old', conditions: onPath('/a'), settingsOverrides: { minifyHtml: true, gone: 1 }, gone: 1 };
    const configurationRules = { order: [ruleId], items: { [ruleId]: rule } };
    const old = { name: 'Shop', zone_settings, configurationRules, gone: 1 };
    inTables(world, ({ revisions }) => {
      const [first, ...others] = revisions.get(zone.id) ?? [];
      if (first === undefined) expect.fail();
      const snapshot = storedDocument<ZoneDocument>(JSON.stringify(old));
      revisions.set(zone.id, [{ ...first, snapshot }, ...others]);
    });
    for (const patch of [undefined, { zone_settings: { minifyHtml: false } }]) {
      expect(await ttl({ revision: 1, patch })).to.deep.equal({ value: 7, from: 'zone', overwritten: [] });
      const { settings } = (await valueOf(ask({ revision: 1, patch }))).evaluation;
      expect(settings?.['minifyHtml']).to.include({ value: true, from: ruleId });
      expect(settings?.['enabled']).to.include({ value: true });
    }
  });

  it('refuses a request that takes too long to match against the zone’s patterns', async () => {
    const { ask } = await arranged();
    const value = '[ab]{0,990}[ab]{0,990}[cd]';
    const field = { field: 'header', operator: 'matches', value };
    const rule = (name: string) => ({
      name,
      action: 'block',
      conditions: {
        logic: 'or',
        conditions: Array.from({ length: 25 }, (_, index) => ({ ...field, target: `X-${index}` })),
      },
    });
    const ids = Array.from({ length: 9 }, (_, index) => ruleId.replace(/1$/, String(index + 1)));
    const accessRules = { order: ids, items: Object.fromEntries(ids.map((id) => [id, rule(id)])) };
    const headers = Array.from({ length: 25 }, (_, index) => ({ name: `X-${index}`, value: 'ab'.repeat(500) }));
    const long = parseRequestFacts({ url: 'https://shop.example.com/a', headers });
    const patch = { accessRules };
    expect((await ask({ patch })).isOk()).to.equal(true);
    expect(await refusalOf(long.asyncAndThen((many) => ask({ facts: many, patch })))).to.deep.equal([
      ' evaluation.work',
    ]);
  });

  it('compiles the current revision once while storage remembers it, without reading its history', async () => {
    const { world, owner, zone } = await arranged();
    const known = await valueOf(world.unitOfWork.view(({ zones }) => zones.limitedState(zone.id)));
    const counts = { trails: 0, compiled: 0 };
    const counting = ({ history, zones, ...rest }: Repositories): Repositories => {
      const trail: typeof history.trail = (...revision) => {
        counts.trails += 1;
        return history.trail(...revision);
      };
      return {
        ...rest,
        history: { ...history, trail },
        zones: { ...zones, limitedState: () => okAsync(known) },
      };
    };
    const unitOfWork: DomainStorage = {
      run: (work) => world.unitOfWork.run(work),
      single: (work) => world.unitOfWork.single(work),
      session: (credential) => world.unitOfWork.session(credential),
      view: (read) => world.unitOfWork.view((repositories) => read(counting(repositories))),
    };
    const namesOf: NamesOfZone = () => {
      counts.compiled += 1;
      return { rule: (_, id) => id, originServer: (id) => id, loadBalancer: (id) => id };
    };
    const evaluate = evaluateRequest({ ...world, unitOfWork, namesOf });
    for (const revision of [undefined, 2, undefined, 2]) await valueOf(evaluate(owner, zone.id, { ...now, revision }));
    expect(counts).to.deep.equal({ trails: 0, compiled: 1 });
    for (const revision of [1, 1, undefined]) await valueOf(evaluate(owner, zone.id, { ...now, revision }));
    expect(counts).to.deep.equal({ trails: 2, compiled: 3 });
  });
});

describe('evaluateRequest of a draft', () => {
  const added = (content: object) => ({
    configurationRules: {
      order: [ruleId],
      items: { [ruleId]: { name: 'Draft', conditions: onPath('/a'), ...content } },
    },
  });

  it('reports what the patched configuration would do, and stores nothing', async () => {
    const { world, rule, draft } = await arranged();
    const before = everythingIn(world);
    const { isDraft, revision, evaluation } = await valueOf(
      draft({
        zone_settings: { cachingDefaultTtl: 9 },
        configurationRules: { items: { [rule.id]: { settingsOverrides: { cachingDefaultTtl: null } } } },
      }),
    );
    expect([isDraft, revision]).to.deep.equal([true, 2]);
    expect(evaluation.settings?.['cachingDefaultTtl']).to.deep.equal({ value: 9, from: 'zone', overwritten: [] });
    expect(everythingIn(world)).to.deep.equal(before);
  });

  it('is based on the requested revision, and treats removed lists as empty', async () => {
    const { ask, ttl } = await arranged();
    expect(await ttl({ patch: { configurationRules: null } })).to.include({ from: 'zone' });
    const patch = added({ settingsOverrides: { cachingDefaultTtl: 5 } });
    expect(await ttl({ revision: 1, patch })).to.include({ value: 5, from: ruleId });
    expect(await refusalOf(ask({ patch }))).to.deep.equal(['patch.configurationRules.order list.order']);
  });

  const otherId = ruleId.replace(/1$/, '2');
  const twice = (first: object, second: object) => {
    const items = { [ruleId]: { name: 'One', ...first }, [otherId]: { name: 'Two', ...second } };
    return { order: [ruleId, otherId], items };
  };
  const rewrite = { operator: 'equals', sourcePattern: '/a', target: '/b' };
  const items = `patch.configurationRules.items.${ruleId}`;
  const refused: readonly (readonly [what: string, patch: object, ...violations: readonly string[]])[] = [
    ['other members', { name: 'x', tag: null }, 'patch.name member.unknown', 'patch.tag member.unknown'],
    ['invalid settings', { zone_settings: 1 }, 'patch.zone_settings member.type'],
    [
      'a wrong setting',
      { zone_settings: { cachingDefaultTtl: -1 } },
      'patch.zone_settings.cachingDefaultTtl settings.range',
    ],
    [
      'settings that contradict each other',
      { zone_settings: { imageOptimizationPngQualityMin: 90 } },
      'patch.zone_settings.imageOptimizationPngQualityMax settings.quality.order',
    ],
    [
      'references that do not resolve',
      { zone_settings: { defaultBackend: { type: 'origin', id: ruleId }, basicAuth: { enabled: true } } },
      'patch.zone_settings.defaultBackend backend.unknown',
      'patch.zone_settings.basicAuth.enabled basicAuth.noUser',
    ],
    ['an invalid list', { accessRules: [] }, 'patch.accessRules member.type'],
    [
      'a list with other members, and invalid rules',
      { accessRules: { items: 1, x: 1 } },
      'patch.accessRules.x member.unknown',
      'patch.accessRules.items member.type',
    ],
    ['an order that is not a list', { accessRules: { order: 1 } }, 'patch.accessRules.order list.order'],
    [
      'an id that is not a UUID, and an invalid rule',
      { accessRules: { order: ['a', ruleId], items: { a: {}, [ruleId]: 1 } } },
      'patch.accessRules.items.a rule.id',
      `patch.accessRules.items.${ruleId} member.type`,
    ],
    [
      'a rule with an invalid condition',
      added({ conditions: { logic: 'and', conditions: [{ field: 'ip', operator: 'equals', value: 'x' }] } }),
      `${items}.conditions.conditions[0].value condition.value.syntax`,
    ],
    [
      'a rule that is inconsistent with the settings',
      added({ settingsOverrides: { imageOptimizationPngQualityMin: 90 } }),
      `${items}.settingsOverrides.imageOptimizationPngQualityMin settings.quality.order`,
    ],
    [
      'duplicate rules',
      { rewriteRules: twice(rewrite, { ...rewrite, name: 'one' }) },
      `patch.rewriteRules.items.${otherId}.name rule.name.duplicate`,
      `patch.rewriteRules.items.${otherId}.sourcePattern rewriteRule.source.duplicate`,
    ],
  ];
  for (const [what, patch, ...violations] of refused) {
    it(`refuses ${what}`, async () => {
      const { ask } = await arranged();
      expect(await refusalOf(ask({ revision: 1, patch }))).to.deep.equal(violations);
    });
  }
});
