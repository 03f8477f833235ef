import { expect } from 'chai';
import * as fc from 'fast-check';
import { RuleId } from '../../../src/kernel/shared/ids.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonDocument,
  jsonOf,
  mergePatch,
} from '../../../src/kernel/shared/json.ts';
import { BackendName } from '../../../src/organizations/backends/backend.ts';
import { BackendId } from '../../../src/organizations/backends/backend-reference.ts';
import type { NamedBackend } from '../../../src/review/promotions/mapped-names.ts';
import { mergePromotion, type PromotionMerge } from '../../../src/review/promotions/merge-promotion.ts';
import { PromotionDraft } from '../../../src/review/promotions/promotion-draft.ts';
import { draftBase } from '../../../src/zones/drafts/draft-document.ts';
import { mergeDocuments, type Resolution } from '../../../src/zones/merging/merge-documents.ts';
import { defaultZoneSettings } from '../../../src/zones/settings/settings.ts';
import { okOf } from '../../results.ts';

/** A readable id: a letter for the zone (`s`ource, `t`arget, `n`ew), and a name. */
const idOf = (zone: string, name: string): string =>
  `00000000-0000-4000-8000-${Buffer.from(`${zone}${name}`).toString('hex').padStart(12, '0')}`;
/** Replaces such ids in a text with their names. */
const readable = (text: string): string =>
  text.replaceAll(/0{8}-0000-4000-8000-(?:00)*([0-9a-f]+)/g, (_, hex: string) => Buffer.from(hex, 'hex').toString());

interface Contents {
  readonly settings?: JsonObject;
  /** Configuration rules by name, in order. */
  readonly rules?: Readonly<Record<string, JsonObject>>;
  readonly users?: readonly string[];
}

const zone = (letter: string, { settings = {}, rules = {}, users = [] }: Contents): JsonObject => ({
  zone_settings: settings,
  configurationRules: {
    order: Object.keys(rules).map((name) => idOf(letter, name)),
    items: Object.fromEntries(Object.entries(rules).map(([name, rule]) => [idOf(letter, name), { name, ...rule }])),
  },
  basicAuthUsers: Object.fromEntries(users.map((name) => [idOf(letter, name), { username: name, comment: '' }])),
});

const backend = (kind: NamedBackend['kind'], name: string): NamedBackend => ({
  kind,
  id: BackendId.parse(idOf('b', name)),
  name: BackendName.parse(name),
});
const backends = [backend('origin_server', 'dev'), backend('load_balancer', 'live')];

type Zones = readonly [earlier: Contents | undefined, now: Contents, target: Contents];

const promoted = ([earlier, now, target]: Zones, request: object = {}, wholeTarget = zone('t', target)) => {
  let count = 0;
  const draft = PromotionDraft.parse({ from: idOf('z', 'dev'), ...request });
  const known = {
    source: zone('s', now),
    earlier: earlier && zone('s', earlier),
    target: wholeTarget,
    backends,
  };
  return mergePromotion(known, draft, () => RuleId.parse(idOf('n', String((count += 1)))));
};

/** A report, one line per entry: rules are named as in the target, then as in the source. */
const linesOf = ({ report }: PromotionMerge): readonly string[] =>
  report.map(({ kind, name, change, moved, rule, source, members }) => {
    const rules = kind === 'settings' ? '' : ` ${rule ?? '-'}/${source ?? '-'}`;
    const paths = members.map((path) => path.replace(/^configurationRules\.(items\.)?|^zone_settings\./, ''));
    return readable(`${name}${rules} ${change}${moved ? ' moved' : ''}: ${paths.join(' ')}`.trim());
  });

const on = { enabled: true };
const off = { enabled: false };

describe('mergePromotion', () => {
  const reports: readonly (readonly [what: string, zones: Zones, lines: readonly string[], request?: object])[] = [
    [
      'adds what only the source has, and keeps what only the target has',
      [undefined, { rules: { a: on, b: on } }, { rules: { t: on } }],
      ['a n1/sa added: n1', 'b n2/sb added: n2', 't tt/- kept: tt'],
    ],
    [
      'joins rules by name, ignoring case and marks that are written in two ways',
      [undefined, { rules: { é: on, A: on } }, { rules: { 'e\u0301': on, a: on } }],
      ['é te\u0301/sé conflict: te\u0301', 'A ta/sA conflict: ta'],
    ],
    ['leaves equal rules alone', [undefined, { rules: { a: on } }, { rules: { a: on } }], ['a ta/sa kept:']],
    [
      'has a conflict where both differ and nothing was promoted before',
      [undefined, { rules: { a: { ...on, description: 's' } } }, { rules: { a: off } }],
      ['a ta/sa conflict: ta'],
    ],
    [
      'brings what the source changed beside what the target changed, key by key of overrides',
      [
        { rules: { a: { ...on, settingsOverrides: { minifyHtml: true, processingSsi: true } } } },
        { rules: { a: { ...off, settingsOverrides: { minifyHtml: false, processingSsi: true } } } },
        { rules: { a: { ...on, description: 't', settingsOverrides: { minifyHtml: true, processingSsi: false } } } },
      ],
      ['a ta/sa changed: ta.enabled ta.settingsOverrides.minifyHtml'],
    ],
    [
      'names the members in conflict alone',
      [
        { rules: { a: { ...on, description: '0', stopOnMatch: true } } },
        { rules: { a: { ...off, description: 's', stopOnMatch: true } } },
        { rules: { a: { ...on, description: 't', stopOnMatch: true } } },
      ],
      ['a ta/sa conflict: ta.description'],
    ],
    [
      'keeps what the target alone changed, and names it',
      [{ rules: { a: on } }, { rules: { a: on } }, { rules: { a: off } }],
      ['a ta/sa kept: ta.enabled'],
    ],
    [
      'takes a renamed rule for one that is removed and one that is added',
      [{ rules: { a: on } }, { rules: { b: on } }, { rules: { a: on } }],
      ['b n1/sb added: n1', 'a ta/- removed: ta'],
    ],
    [
      'has a conflict where one side removed what the other changed',
      [{ rules: { a: on, b: on } }, { rules: { b: off } }, { rules: { a: off } }],
      ['b n1/sb conflict: n1', 'a ta/- conflict: ta'],
    ],
    [
      'leaves out what the target removed and the source left alone',
      [{ rules: { a: on } }, { rules: { a: on } }, {}],
      ['a -/sa kept:'],
    ],
    [
      'counts as few rules as moved as explain the new order',
      [
        { rules: { a: on, b: on, c: on, d: on } },
        { rules: { d: on, a: off, b: on, c: on } },
        { rules: { a: on, b: on, c: on, d: on } },
      ],
      ['d td/sd moved: order', 'a ta/sa changed: ta.enabled', 'b tb/sb kept:', 'c tc/sc kept:'],
    ],
    [
      'says that a changed rule moved as well',
      [{ rules: { a: on, b: on, c: on } }, { rules: { c: off, a: on, b: on } }, { rules: { a: on, b: on, c: on } }],
      ['c tc/sc changed moved: tc.enabled order', 'a ta/sa kept:', 'b tb/sb kept:'],
    ],
    [
      'has a conflict at the rules whose places both changed',
      [{ rules: { a: on, b: on, c: on } }, { rules: { c: on, a: on, b: on } }, { rules: { b: on, a: on, c: on } }],
      ['c tc/sc conflict moved: order', 'a ta/sa conflict moved: order', 'b tb/sb kept:'],
    ],
    [
      'has settings of which each side has its own in conflict, unless they stay as they are',
      [
        undefined,
        { settings: { minifyHtml: true, processingSsi: true, backendPortOverride: 8080, debugHeadersEnabled: true } },
        { settings: { minifyHtml: false, processingSsi: false, debugHeadersEnabled: true } },
      ],
      [
        'backendPortOverride kept: backendPortOverride',
        'minifyHtml conflict: minifyHtml',
        'processingSsi kept: processingSsi',
      ],
      { keep: ['processingSsi'] },
    ],
    [
      'brings settings that the source wrote, changed or removed',
      [
        { settings: { minifyHtml: true, processingSsi: true } },
        { settings: { minifyHtml: false, processingEsi: true } },
        { settings: { minifyHtml: true, processingSsi: true, debugHeadersEnabled: true } },
      ],
      [
        'debugHeadersEnabled kept: debugHeadersEnabled',
        'minifyHtml changed: minifyHtml',
        'processingEsi added: processingEsi',
        'processingSsi removed: processingSsi',
      ],
    ],
  ];
  for (const [what, zones, lines, request] of reports) {
    it(what, () => expect(linesOf(okOf(promoted(zones, request)))).to.deep.equal(lines));
  }

  it('reports rules of all lists before those that only the target has', () => {
    const list = (letter: string, name: string) => ({
      order: [RuleId.parse(idOf(letter, name))],
      items: { [idOf(letter, name)]: { name } },
    });
    const with2 = (letter: string, access: string, configuration: string) => ({
      ...zone(letter, {}),
      accessRules: list(letter, access),
      configurationRules: list(letter, configuration),
    });
    const known = { source: with2('s', 'a', 'b'), earlier: undefined, target: with2('t', 'c', 'd'), backends };
    const merge = okOf(
      mergePromotion(known, PromotionDraft.parse({ from: idOf('z', 'dev') }), () => RuleId.parse(idOf('n', '1'))),
    );
    expect(merge.report.map(({ kind, name }) => `${kind} ${name}`)).to.deep.equal([
      'accessRule a',
      'configurationRule b',
      'accessRule c',
      'configurationRule d',
    ]);
  });

  const overriding = (settingsOverrides: JsonObject): Contents => ({
    rules: { a: { settingsOverrides } },
    users: ['ann', 'bob'],
  });
  const names: readonly (readonly [what: string, before: JsonObject, after: JsonObject, request?: object])[] = [
    [
      'the backends that are mapped, ignoring case, with the kind of the new one',
      { defaultBackend: { type: 'origin', id: idOf('b', 'dev') } },
      { defaultBackend: { type: 'load_balancer', id: idOf('b', 'live') } },
      { map: { backends: { DEV: 'Live' } } },
    ],
    [
      'other backends as they are',
      { defaultBackend: { type: 'origin', id: idOf('b', 'dev') } },
      { defaultBackend: { type: 'origin', id: idOf('b', 'dev') } },
      { map: { backends: { live: 'dev' } } },
    ],
    [
      'users of the same names',
      { basicAuth: { enabled: true, allowedUserIds: [idOf('s', 'bob'), idOf('s', 'ann')] } },
      { basicAuth: { enabled: true, allowedUserIds: [idOf('t', 'bob'), idOf('t', 'ann')] } },
    ],
    [
      'users that are mapped, each once',
      { basicAuth: { enabled: true, allowedUserIds: [idOf('s', 'bob'), idOf('s', 'ann')] } },
      { basicAuth: { enabled: true, allowedUserIds: [idOf('t', 'ann')] } },
      { map: { basicAuthUsers: { bob: 'ann' } } },
    ],
  ];
  for (const [what, before, after, request] of names) {
    it(`gives rules ${what}`, () => {
      const { patch } = okOf(promoted([undefined, overriding(before), { users: ['ann', 'bob'] }], request));
      const rule = inside(patch, 'configurationRules', 'items', idOf('n', '1'));
      expect(inside(rule, 'settingsOverrides')).to.deep.equal(after);
    });
  }

  const allowed = (...users: readonly string[]) => ({
    ...overriding({ basicAuth: { enabled: true, allowedUserIds: users.map((name) => idOf('s', name)) } }),
  });
  const refused: readonly (readonly [what: string, zones: Zones, map: object, violations: readonly string[]])[] = [
    [
      'users whom the target has not',
      [undefined, allowed('ann', 'bob'), { users: ['ann', 'Bob'] }],
      {},
      ['promotion.user.unknown map.basicAuthUsers.bob'],
    ],
    [
      'unknown names, all at once',
      [undefined, allowed('ann'), { users: ['eve'] }],
      { backends: { dev: 'x', x: 'live' }, basicAuthUsers: { ann: 'x', x: 'eve' } },
      [
        'backend.unknown map.backends.dev',
        'backend.unknown map.backends.x',
        'promotion.user.unknown map.basicAuthUsers.ann',
        'promotion.user.unknown map.basicAuthUsers.x',
      ],
    ],
  ];
  for (const [what, zones, map, violations] of refused) {
    it(`refuses ${what}`, () => {
      const found = promoted(zones, { map }).match(
        () => [],
        ({ violations: all }) => all.map(({ code, propertyPath }) => `${code} ${propertyPath}`),
      );
      expect(found).to.deep.equal(violations);
    });
  }

  it('needs no users that only the earlier source admitted', () => {
    const { report } = okOf(promoted([allowed('ann'), { rules: { a: { settingsOverrides: {} } } }, {}]));
    expect(report.map(({ change }) => change)).to.deep.equal(['conflict']);
  });
});

const inside = (value: Json | undefined, ...members: readonly string[]): Json | undefined =>
  members.reduce<Json | undefined>((found, member) => (isJsonObject(found) ? found[member] : undefined), value);

describe('any promotion', () => {
  const aRule = fc.record({ description: fc.constantFrom('p', 'q'), enabled: fc.boolean() });
  const settings = fc.record({
    minifyHtml: fc.boolean(),
    processingSsi: fc.boolean(),
    backendPortOverride: fc.constantFrom(80, 81),
  });
  const contents: fc.Arbitrary<Contents> = fc.record({
    settings,
    rules: fc
      .tuple(fc.shuffledSubarray(['a', 'b', 'c', 'd']), fc.array(aRule, { minLength: 4, maxLength: 4 }))
      .map(([names, rules]) => Object.fromEntries(names.map((name, index) => [name, rules[index] ?? {}]))),
  });
  const side = fc.constantFrom('yours', 'theirs');

  /** Merges what a promotion leaves to merge; the target may have changed since. */
  const mergeOf = ({ patch, disputed = {} }: PromotionMerge, target: JsonObject, settled?: Resolution) => {
    const on = (changes: JsonObject) => mergePatch(target, changes);
    return mergeDocuments({ base: on(disputed), theirs: target, yours: on(patch) }, settled);
  };
  /** The target after the promotion has been resolved and applied. */
  const after = (zones: Zones, settled: Resolution, target = draftBase(zone('t', zones[2]))): JsonObject =>
    okOf(mergeOf(okOf(promoted(zones, {}, target)), target, settled));
  /** The rules of a document without their ids. */
  const rulesOf = (document: JsonObject): readonly Json[] => {
    const order = inside(document, 'configurationRules', 'order');
    return Array.isArray(order)
      ? order.map((id) => inside(document, 'configurationRules', 'items', String(id)) ?? null)
      : [];
  };

  it('changes nothing the second time, however conflicts were resolved', () => {
    fc.assert(
      fc.property(
        fc.option(contents, { nil: undefined }),
        contents,
        contents,
        side,
        (earlier, now, target, settled) => {
          const first = after([earlier, now, target], { '*': settled });
          const { patch, disputed, report } = okOf(promoted([now, now, target], {}, first));
          expect({ patch, disputed }).to.deep.equal({ patch: {}, disputed: undefined });
          expect(report.every(({ change }) => change === 'kept')).to.equal(true);
        },
      ),
    );
  });

  it('into an empty zone copies the source, except for what the target keeps', () => {
    fc.assert(
      fc.property(contents, (now) => {
        const empty = { ...draftBase(zone('t', {})), zone_settings: jsonOf(jsonDocument(defaultZoneSettings)) };
        const result = after([undefined, now, {}], { '*': 'yours' }, empty);
        expect(rulesOf(result)).to.deep.equal(rulesOf(zone('s', now)));
        const { backendPortOverride: _, ...others } = now.settings ?? {};
        expect(result['zone_settings']).to.deep.equal({ ...defaultZoneSettings, ...others });
      }),
    );
  });

  it('repeats a conflict resolved for the target only after the source changes', () => {
    fc.assert(
      fc.property(contents, contents, contents, (now, target, later) => {
        const first = after([undefined, now, target], { '*': 'theirs' });
        const { report } = okOf(promoted([now, later, target], {}, first));
        const changedSettings = ['minifyHtml', 'processingSsi'].filter(
          (key) => now.settings?.[key] !== later.settings?.[key],
        );
        for (const { kind, name, change } of report.filter((entry) => entry.change !== 'kept')) {
          if (kind === 'settings') expect(changedSettings, change).to.include(name);
        }
        for (const key of changedSettings) {
          const isEqual = target.settings?.[key] === later.settings?.[key];
          const entry = report.find(({ name }) => name === key);
          expect(entry?.change, key).to.equal(
            isEqual ? undefined : target.settings?.[key] === now.settings?.[key] ? 'changed' : 'conflict',
          );
        }
      }),
    );
  });

  it('leaves exactly the reported conflicts to merge', () => {
    fc.assert(
      fc.property(fc.option(contents, { nil: undefined }), contents, contents, (earlier, now, target) => {
        const merge = okOf(promoted([earlier, now, target]));
        const conflicts = mergeOf(merge, draftBase(zone('t', target))).match(
          () => [],
          (refusal) => ('conflicts' in refusal ? refusal.conflicts.map(({ path }) => path) : []),
        );
        const reported = merge.report.flatMap(({ change, members }) => (change === 'conflict' ? members : []));
        expect(new Set(conflicts)).to.deep.equal(new Set(reported));
      }),
    );
  });

  it('results in rules with distinct names, each once in the order', () => {
    fc.assert(
      fc.property(
        fc.option(contents, { nil: undefined }),
        contents,
        contents,
        side,
        (earlier, now, target, settled) => {
          const result = after([earlier, now, target], { '*': settled });
          const items = inside(result, 'configurationRules', 'items');
          expect(inside(result, 'configurationRules', 'order')).to.have.members(
            Object.keys(isJsonObject(items) ? items : {}),
          );
          const names = rulesOf(result).map((rule) => inside(rule, 'name'));
          expect(new Set(names).size).to.equal(names.length);
        },
      ),
    );
  });
});
