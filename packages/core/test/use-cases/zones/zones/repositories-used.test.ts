import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DomainStorage, parseWantedRules, type Repositories, RevisionNumber, useCases } from '@zonewright/core';
import { expect } from 'chai';
import { RulePosition } from '../../../../src/zones/rule-kinds/rule-order.ts';
import { valueOf } from '../../../support/outcomes.ts';
import { draftOf, listOf } from '../../../support/rules.ts';
import { aWorld } from '../../../support/world.ts';
import { anOrganizationWithZone, aZoneDraft } from '../../../support/zones.ts';

/** A unit of work that notes which repositories its work touches. */
function traced(unitOfWork: DomainStorage): { readonly unitOfWork: DomainStorage; readonly used: Set<string> } {
  const used = new Set<string>();
  const watched = (repositories: Repositories): Repositories =>
    new Proxy(repositories, {
      get: (target, name) => {
        used.add(String(name));
        return Reflect.get(target, name);
      },
    });
  const watch = (unit: DomainStorage): DomainStorage => ({
    run: (work) => unit.run((repositories) => work(watched(repositories))),
    single: (work) => unit.single((repositories) => work(watched(repositories))),
    view: (read) => unit.view((repositories) => read(watched(repositories))),
    session: (credential, subject) => unit.session(credential, subject),
  });
  return { unitOfWork: watch(unitOfWork), used };
}

const guide = readFileSync(join(import.meta.dirname, '../../../../../../docs/embedding.md'), 'utf8');
const documented = (opening: string): readonly string[] => {
  const [, names = ''] = new RegExp(`${opening}([^.:]*)`).exec(guide) ?? [];
  return [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
};

describe('The use cases of zones and rules', () => {
  it('use the repositories that docs/embedding.md lists, and no others', async () => {
    const world = aWorld();
    const { owner, organization } = await anOrganizationWithZone(world);
    const { unitOfWork, used } = traced(world.unitOfWork);
    const all = useCases({ ...world, unitOfWork });
    const zone = await valueOf(all.createZone(owner, aZoneDraft({ name: 'Second', organization })));
    const list = listOf(zone, 'rewriteRule');
    const rewrite = { name: 'Blog', operator: 'equals', sourcePattern: '/blog', target: '/posts' };
    const { rule } = await valueOf(all.createRule(owner, list, draftOf('rewriteRule', rewrite)));
    const { id } = rule;
    const page = { page: 1, itemsPerPage: 30 };
    await valueOf(all.listZones(owner, { ...page, organization, tags: [], search: undefined, sort: [] }));
    await valueOf(all.readZone(owner, zone.id));
    await valueOf(all.updateZone(owner, zone.id, { zone_settings: { minifyHtml: true } }, undefined));
    await valueOf(all.rotateBanToken(owner, zone.id, undefined));
    await valueOf(all.listRules(owner, list, { ...page, names: [] }));
    await valueOf(all.readRule(owner, list, id));
    await valueOf(all.updateRule(owner, list, id, { description: 'New' }, undefined));
    await valueOf(all.moveRule(owner, list, id, { position: RulePosition.parse(1) }, undefined));
    await valueOf(all.deleteRule(owner, list, id, undefined));
    await valueOf(
      parseWantedRules('rewriteRule', [rewrite]).asyncAndThen((rules) =>
        all.replaceRules(owner, list, rules, undefined),
      ),
    );
    await valueOf(all.listRevisions(owner, zone.id, page));
    await valueOf(all.readRevision(owner, zone.id, RevisionNumber.parse(2)));
    const beforeRestoring = new Set(used);
    expect([...beforeRestoring].toSorted()).to.deep.equal(documented('zones and rules, implement ').toSorted());
    await valueOf(all.restoreRevision(owner, zone.id, RevisionNumber.parse(1), undefined));
    expect([...used].filter((name) => !beforeRestoring.has(name))).to.deep.equal(
      documented('`restoreRevision` also uses '),
    );
    await valueOf(all.deleteZone(owner, zone.id, undefined));
    expect(used.size).to.equal(beforeRestoring.size + 1);
  });
});
