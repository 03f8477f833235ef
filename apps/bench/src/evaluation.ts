import { createRequire } from 'node:module';
import { BlockList } from 'node:net';
import { compile, parseConfiguration, parseFacts } from '@zonewright/engine';
import { Engine, type TopLevelCondition } from 'json-rules-engine';
import { median, repeated } from './load.ts';
import type { Measure } from './other-measures.ts';

interface LogicEngine {
  addMethod(name: string, method: (values: [string, string]) => boolean): void;
  build(logic: object): (facts: object) => unknown;
}

const require = createRequire(import.meta.url);
/** Required and typed here, because the package's declarations do not resolve from an ES module. */
const logic = require('json-logic-engine') as { LogicEngine: new () => LogicEngine };

interface Condition {
  readonly field: string;
  readonly operator: string;
  readonly value: string;
  readonly target?: string;
}

/** A condition of the usual mix. */
export const conditionOf = (index: number): Condition => {
  const mix = [
    { field: 'uri', operator: 'starts_with', value: `/section-${index}/` },
    { field: 'uri', operator: 'equals', value: `/page-${index}` },
    { field: 'uri', operator: 'matches', value: `^/(?:blog|news)/[0-9]{4}/${index}-[a-z-]+$` },
    { field: 'header', operator: 'contains', target: 'Accept', value: `type-${index}` },
    { field: 'header', operator: 'contains', target: 'Cookie', value: `cookie${index}=` },
    { field: 'ip', operator: 'in', value: `10.${index}.0.0/16\n192.0.2.${index}/32\n198.18.${index}.0/24` },
    { field: 'country', operator: 'in', value: 'DE\nFR\nIT' },
    { field: 'userAgent', operator: 'matches_ci', value: `(?:bot|crawler|spider)${index}` },
    { field: 'host', operator: 'equals', value: `shop${index}.example.com` },
    { field: 'extension', operator: 'in', value: 'css\njs\npng' },
  ] as const;
  return mix[index % mix.length] ?? mix[0];
};

/** Every second rule has two conditions joined by `and`. None matches the request, so all rules are evaluated. */
const rules = Array.from({ length: 100 }, (_, index) =>
  index % 2 === 0 ? [conditionOf(index), conditionOf(index + 3)] : [conditionOf(index)],
);

const headers = {
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  Cookie: 'session=0123456789abcdef; lang=en; theme=dark',
};
const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const uri = '/blog/2024/17-a-long-title-of-a-post';
const client = { ip: '198.51.100.7', country: 'US' };

/** The other engines get extracted values; our engine extracts them from the request itself. */
const subjects: Readonly<Record<string, string>> = {
  ...client,
  ...headers,
  uri,
  userAgent,
  host: 'www.example.com',
  extension: '',
};
const subjectOf = ({ field, target }: Condition): string => target ?? field;

type Test = (subject: string) => boolean;

function testOf({ field, operator, value }: Condition): Test {
  if (operator === 'equals') return (subject) => subject === value;
  if (operator === 'starts_with') return (subject) => subject.startsWith(value);
  if (operator === 'contains') return (subject) => subject.includes(value);
  if (operator.startsWith('matches')) {
    const pattern = new RegExp(value, operator === 'matches' ? '' : 'i');
    return (subject) => pattern.test(subject);
  }
  const entries = new Set(value.split('\n'));
  if (field !== 'ip') return (subject) => entries.has(subject);
  const addresses = new BlockList();
  for (const [address = '', prefix] of [...entries].map((entry) => entry.split('/'))) {
    addresses.addSubnet(address, Number(prefix));
  }
  return (subject) => addresses.check(subject);
}

/** Tests by condition, for engines that call a named function with a string. */
const tests = new Map<string, Test>();
const nameOf = (condition: Condition): string => {
  const name = JSON.stringify(condition);
  tests.set(name, tests.get(name) ?? testOf(condition));
  return name;
};
const isTrue = (subject: string, name: string): boolean => tests.get(name)?.(subject) ?? false;

/** Prepares the rules and returns a function that evaluates one request. */
type Prepare = () => () => unknown;

const ours: Prepare = () => {
  const items = rules.map((conditions, index) => ({
    name: `Rule ${index}`,
    conditions: { logic: 'and', conditions },
    settingsOverrides: { cachingDefaultTtl: index },
  }));
  const configuration = parseConfiguration(
    {
      zone_settings: { cachingDynamicEnabled: true, defaultBackend: { type: 'origin_server', id: 'o' } },
      configurationRules: { order: [...items.keys()].map(String), items: Object.fromEntries(items.entries()) },
    },
    { originServers: [{ id: 'o', protocol: 'https', address: 'origin.example.net', port: 443 }] },
  );
  const lines = Object.entries({ ...headers, 'User-Agent': userAgent }).map(([name, value]) => ({ name, value }));
  const facts = parseFacts({ ...client, asn: 64_500, url: `https://www.example.com${uri}`, headers: lines });
  if (!configuration.ok || !facts.ok) throw new Error('The rules or the request are refused.');
  const engine = compile(configuration.value);
  return () => engine.evaluate(facts.value);
};

const closures: Prepare = () => {
  const prepared = rules.map((conditions) =>
    conditions.map((condition) => ({ subject: subjectOf(condition), test: testOf(condition) })),
  );
  return () => prepared.map((rule) => rule.every(({ subject, test }) => test(subjects[subject] ?? '')));
};

const jsonRulesEngine: Prepare = () => {
  const engine = new Engine();
  engine.addOperator('fits', isTrue);
  for (const conditions of rules) {
    const all = conditions.map((condition) => ({
      fact: subjectOf(condition),
      operator: 'fits',
      value: nameOf(condition),
    }));
    engine.addRule({ conditions: { all } satisfies TopLevelCondition, event: { type: 'matched' } });
  }
  return () => engine.run({ ...subjects });
};

const jsonLogicEngine: Prepare = () => {
  const engine = new logic.LogicEngine();
  engine.addMethod('fits', ([subject, name]) => isTrue(subject, name));
  const built = rules.map((conditions) =>
    engine.build({ and: conditions.map((each) => ({ fits: [{ var: subjectOf(each) }, nameOf(each)] })) }),
  );
  return () => built.map((rule) => rule(subjects));
};

/** Median processor time of one call, in microseconds: wall time would include other processes. */
async function microseconds(rounds: number, calls: number, work: () => unknown): Promise<number> {
  const times = await repeated(rounds, async () => {
    const started = process.cpuUsage();
    for (let call = 0; call < calls; call += 1) await work();
    const { user, system } = process.cpuUsage(started);
    return (user + system) / calls;
  });
  return median(times);
}

/**
 * The cost of 100 configuration rules per request and for preparation, next to other engines that compute only the
 * results.
 */
export async function evaluationOfRules(): Promise<readonly Measure[]> {
  const measures: Measure[] = [];
  const [own, ownCompile] = [await microseconds(30, 500, ours()), (await microseconds(20, 5, ours)) / 1000];
  for (const [name, prepare] of Object.entries({ closures, jsonRulesEngine, jsonLogicEngine })) {
    const theirs = await microseconds(30, 20, prepare());
    const theirCompile = (await microseconds(20, 5, prepare)) / 1000;
    measures.push(
      { name: `100 rules, floor ${name}`, unit: 'µs', floor: theirs, service: own, hold: 40 },
      {
        name: `compile 100 rules, floor ${name}`,
        unit: 'ms',
        floor: theirCompile,
        service: ownCompile,
        hold: 10,
      },
    );
  }
  return measures;
}
