import {
  RevisionNumber,
  type Rule,
  type RuleKind,
  type RuleList,
  RuleMove,
  ruleVersion,
  useCases,
  type Version,
} from '@zonewright/core';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { rulesOf, storedOwner } from '../arrangements/index.ts';
import { aRuleContent, aRuleDraft, aZoneDraft, wholeList } from '../builders/index.ts';
import { fakePorts } from '../fakes.ts';
import { contract } from '../fresh-storage.ts';
import { errorOf, okOf, type Pending, readView } from '../results.ts';
import type { Storage } from '../storage.ts';

/** Every adapter must let the use cases guarantee that an entity tag never denotes two contents. */
export const entityTagsContract = contract('Entity tags contract', (storage) => {
  it('do not match an old tag of a rule that was deleted and restored', async () => {
    const { verbs, update, rules, number } = await aScene(storage(), 'configurationRule');
    await verbs.create(0);
    const [created, at] = [(await rules())[0]!, await number()];
    await verbs.remove(0);
    await verbs.restore(at - 1);
    const [restored] = await rules();
    expect(restored).to.include({ id: created.id });
    expect(ruleVersion(restored!)).not.to.equal(ruleVersion(created));
    const late = update(created, { enabled: false }, [ruleVersion(created)]);
    expect(await errorOf(late)).to.include({ type: 'VersionMismatch' });
  });

  for (const kind of ['configurationRule', 'securityScenario'] as const) {
    it(`denote one content of each ${kind}, and one of their list, whatever is done`, async function () {
      this.timeout(60_000);
      await fc.assert(
        fc.asyncProperty(fc.array(anyAct, { minLength: 6, maxLength: 14 }), async (acts) => {
          const { verbs, contents } = await aScene(storage(), kind);
          const named = new Map(await contents());
          for (const [verb, pick] of acts) {
            await verbs[verb](pick);
            for (const [tag, content] of await contents()) {
              expect(named.get(tag) ?? content, tag).to.equal(content);
              named.set(tag, content);
            }
          }
        }),
        { numRuns: 15 },
      );
    });
  }
});

const anyAct = fc.tuple(
  fc.oneof(
    { weight: 2, arbitrary: fc.constant('create' as const) },
    { weight: 6, arbitrary: fc.constantFrom('create', 'toggle', 'remove', 'move', 'replace', 'restore') },
  ),
  fc.nat(20),
);

/** A zone with history and no rules, and possible actions on one of its lists. */
async function aScene(storage: Storage, kind: RuleKind) {
  const dependencies = { unitOfWork: storage.unitOfWork, ...fakePorts };
  const { caller } = await storedOwner(storage);
  const { id: zone } = await okOf(useCases(dependencies).createZone(caller, aZoneDraft()));
  const list: RuleList = { zone, kind };

  const rules = () => rulesOf(storage, list);
  const number = async () => (await readView(storage, ({ zones }) => zones.state(zone))).zone.revision;
  const update = ({ id }: Rule, patch: { readonly enabled: boolean }, expected?: readonly Version[]) =>
    useCases(dependencies).updateRule(caller, list, id, patch, expected);
  const picked = async (pick: number, act: (rule: Rule, all: readonly Rule[]) => Pending<unknown, unknown>) => {
    const all = await rules();
    const rule = all[pick % all.length];
    if (rule !== undefined) await act(rule, all);
  };

  const verbs = {
    create: (pick: number) => useCases(dependencies).createRule(caller, list, aRuleDraft(kind, { order: pick })),
    toggle: (pick: number) => picked(pick, (rule) => update(rule, { enabled: !rule.content.value.enabled })),
    remove: (pick: number) => picked(pick, ({ id }) => useCases(dependencies).deleteRule(caller, list, id, undefined)),
    move: (pick: number) =>
      picked(pick, ({ id }) =>
        useCases(dependencies).moveRule(caller, list, id, RuleMove.parse({ position: pick }), undefined),
      ),
    replace: (pick: number) =>
      picked(pick, (rule, all) => {
        const others = all.filter((each) => each !== rule).toReversed();
        const kept = others.map(({ id, content }) => ({ id, content: content.value }));
        const wanted = [...kept, { id: undefined, content: aRuleContent(kind) }];
        return useCases(dependencies).replaceRules(caller, list, wanted, undefined);
      }),
    restore: async (pick: number) => {
      const revision = RevisionNumber.parse(1 + (pick % (await number())));
      return okOf(useCases(dependencies).restoreRevision(caller, zone, revision, undefined));
    },
  } as const;

  /** Every current tag with the content it denotes. */
  const contents = async (): Promise<readonly (readonly [tag: string, content: string])[]> => {
    const { items, revision } = await readView(storage, (repositories) => repositories.rules.list(list, [], wholeList));
    const shown = items.map((rule) => ({
      tag: `${rule.id} ${ruleVersion(rule)}`,
      content: `${rule.content.text} ${rule.createdAt.toISOString()} ${rule.updatedAt.toISOString()}`,
    }));
    return [
      ...shown.map(({ tag, content }) => [tag, content] as const),
      [`list ${revision}`, JSON.stringify(shown)] as const,
    ];
  };
  return { verbs, update, rules, number, contents };
}
