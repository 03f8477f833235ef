import { type Caller, type FindingsQuestion, revisionNotFound } from '@zonewright/core';
import { expect } from 'chai';
import { err } from 'neverthrow';
import { readFindings } from '../../../../src/review/findings/read-findings.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aWorldWithRule, onPath } from '../../../support/rules.ts';
import { everythingIn } from '../../../support/world.ts';

const all: FindingsQuestion = {
  revision: undefined,
  filter: { codes: [], severities: [], verdicts: [], rule: undefined },
  page: { page: 1, itemsPerPage: 30 },
};

/** A zone whose rule matches all requests to `/a` since revision 2, and is disabled in revision 3. */
const arranged = async () => {
  const given = await aWorldWithRule({
    conditions: { logic: 'or', conditions: [...onPath('/a').conditions, ...notOnPath('/a').conditions] },
    settingsOverrides: { cachingDefaultTtl: 60 },
  });
  const read = readFindings(given.world);
  const ask = (question: Partial<FindingsQuestion> = {}, caller: Caller = given.owner, zone = given.zone.id) =>
    read(caller, zone, { ...all, ...question });
  return { ...given, ask };
};
const notOnPath = (value: string) => ({
  logic: 'and',
  conditions: [{ field: 'uri', operator: 'not_equals', value }],
});

describe('readFindings', () => {
  it('analyses the configuration, now and at any revision', async () => {
    const { world, zone, rule, ask, patch } = await arranged();
    const before = everythingIn(world);
    const { items, ...now } = await valueOf(ask());
    expect(now).to.deep.equal({ zoneId: zone.id, revision: 2, isDraft: false, complete: true, totalItems: 1 });
    expect(items.map(({ code, rules }) => [code, rules[0]?.id])).to.deep.equal([['rule.alwaysMatches', rule.id]]);
    expect(everythingIn(world)).to.deep.equal(before);
    await valueOf(patch({ enabled: false }));
    expect(await valueOf(ask())).to.include({ revision: 3, totalItems: 0 });
    expect(await valueOf(ask({ revision: 2 }))).to.include({ revision: 2, totalItems: 1 });
    expect(await ask({ revision: 4 })).to.deep.equal(err(revisionNotFound()));
  });

  it('filters by a rule of the revision, and refuses others', async () => {
    const { rule, ask } = await arranged();
    const about = (id: string, revision?: number) => ask({ revision, filter: { ...all.filter, rule: id } });
    expect(await valueOf(about(rule.id))).to.include({ totalItems: 1 });
    expect(await refusalOf(about(rule.id, 1))).to.deep.equal(['rule rule.unknown']);
    expect(await refusalOf(about('toString'))).to.deep.equal(['rule rule.unknown']);
  });
});
