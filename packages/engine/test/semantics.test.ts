import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { compile, parseConfiguration, parseFacts } from '../src/index.ts';
import { okOf } from './outcomes.ts';
import { originServer } from './zones.ts';

type Members = Readonly<Record<string, unknown>>;

interface Example {
  /** Settings, and lists of rules without names and ids. */
  readonly zone?: Members;
  readonly request: Members;
  /** Some members of the evaluation. */
  readonly answer: Members;
}

const page = readFileSync(new URL('../../../docs/semantics.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/^```json\n([^]*?)^```/gm)].map(([, text = '']) => JSON.parse(text) as Example);

const listOf = (name: string, rules: readonly Members[]) => {
  const items = rules.map(
    (rule, index) => [`${name}-${index + 1}`, { name: `${name} ${index + 1}`, ...rule }] as const,
  );
  return { order: items.map(([id]) => id), items: Object.fromEntries(items) };
};

const documentOf = ({ zone_settings, ...lists }: Members) => ({
  zone_settings: { defaultBackend: { type: 'origin_server', id: originServer.id }, ...(zone_settings as Members) },
  ...Object.fromEntries(Object.entries(lists).map(([name, rules]) => [name, listOf(name, rules as Members[])])),
});

/** Reduces the actual value to the expected members, recursively. */
const partOf = (found: unknown, expected: unknown): unknown =>
  typeof expected === 'object' && expected !== null && !Array.isArray(expected)
    ? Object.fromEntries(
        Object.entries(expected).map(([name, value]) => [name, partOf((found as Members | undefined)?.[name], value)]),
      )
    : found;

describe('docs/semantics.md', () => {
  it('has examples', () => {
    expect(examples).to.have.length.above(7);
  });

  for (const { zone = {}, request, answer } of examples) {
    it(`is right about ${JSON.stringify(request)}`, () => {
      const configuration = okOf(parseConfiguration(documentOf(zone), { originServers: [originServer] }));
      const found = compile(configuration).evaluate(okOf(parseFacts(request)));
      expect(partOf(found, answer)).to.deep.equal(answer);
    });
  }
});
