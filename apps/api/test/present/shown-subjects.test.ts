import type { ZoneEvaluation } from '@zonewright/core';
import { compile, parseConfiguration, parseFacts } from '@zonewright/engine';
import { expect } from 'chai';
import { withShownSubjects } from '../../src/present/shown-subjects.ts';

/** The evaluation of a request with a long address by this many rules with 25 conditions each. */
function evaluationBy(rules: number): ZoneEvaluation['evaluation'] {
  const conditions = Array.from({ length: 25 }, (_, index) => ({
    field: 'uri',
    operator: 'equals',
    value: `/${index}`,
  }));
  const names = Array.from({ length: rules }, (_, index) => `rule-${index}`);
  const items = Object.fromEntries(
    names.map((name) => [name, { name, action: 'block', conditions: { logic: 'or', conditions } }]),
  );
  const configuration = parseConfiguration({ zone_settings: {}, accessRules: { order: names, items } }, {});
  const facts = parseFacts({ url: `https://www.example.com/${'a'.repeat(6000)}` });
  if (!configuration.ok || !facts.ok) return expect.fail('The rules or the facts are invalid.');
  return compile(configuration.value).evaluate(facts.value);
}

describe('The subjects in an evaluation', () => {
  it('are shown whole as long as they are few', () => {
    const evaluation = evaluationBy(0);
    expect(withShownSubjects(evaluation)).to.equal(evaluation);
  });

  it('are shown by their length beyond 100,000 characters', () => {
    const evaluation = evaluationBy(100);
    const shown = JSON.stringify(withShownSubjects(evaluation));
    expect(JSON.stringify(evaluation).length).to.be.greaterThan(15_000_000);
    expect(shown.length).to.be.lessThan(400_000);
    expect(shown.match(/"subject":\["/g)).to.have.length(16);
    expect(shown.match(/"subject":\[\{"length":6001\}\]/g)).to.have.length(2484);
  });
});
