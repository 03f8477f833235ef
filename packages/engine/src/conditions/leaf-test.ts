import { AddressSet } from '../addresses/address-set.ts';
import { memoized } from '../memoized.ts';
import { compilePattern, PreparedPattern } from '../patterns/compile-pattern.ts';
import { parsePattern } from '../patterns/pattern.ts';
import type { PatternResources } from '../patterns/pattern-memory.ts';
import { requiredText } from '../patterns/required-text.ts';
import type { CanonicalRequest } from '../request/canonical-request.ts';
import type { Work } from '../work.ts';
import { canonicalValue } from './canonical-value.ts';
import type { FieldName } from './fields.ts';
import { entriesOf } from './list-entries.ts';
import { type BaseOperator, baseOf, type ConditionOperator } from './operators.ts';
import { containsText } from './text-search.ts';

/**
 * Tests a text against a base operator with its value, and charges the work; a condition holds if any text of its
 * subject passes.
 */
export type LeafTest = (text: string, request: CanonicalRequest) => boolean;

const never: LeafTest = () => false;

/** A condition's value. */
interface Valued {
  readonly value: string;
}

/** The test of a condition with this field, operator and valid value. */
export function leafTest(
  field: FieldName,
  operator: ConditionOperator,
  leaf: Valued,
  resources: PatternResources,
): LeafTest {
  const base = baseOf(operator);
  const { work } = resources;
  if (field === 'ip' && base === 'in') return addressTest(leaf, work);
  const { texts } = canonicalValue(field, operator, leaf.value);
  if (base === 'in') return inTest(texts, work);
  return texts[0] === undefined && base !== 'exists' ? never : singleTest(base, texts[0] ?? '', resources);
}

/** Lists have thousands of addresses: each is read once, when the first request is tested. */
const addressesIn = memoized(({ value }: Valued) => new AddressSet(entriesOf('ip', 'in', value)));

/** Reading an address, for each of its characters, and looking one up. */
const addressWork = { character: 10, lookup: 100 } as const;

function addressTest(leaf: Valued, work: Work): LeafTest {
  let addresses: AddressSet | undefined;
  return (_, { facts }) => {
    work.spend(addressWork.lookup);
    if (addresses === undefined) {
      work.spend(addressWork.character * leaf.value.length);
      addresses = addressesIn(leaf);
    }
    return facts.ip !== undefined && addresses.has(facts.ip.key);
  };
}

/** Only texts that are not longer than all entries are hashed. */
function inTest(texts: readonly string[], work: Work): LeafTest {
  const entries = new Set(texts);
  const longest = texts.reduce((most, { length }) => Math.max(most, length), 0);
  return (text) => {
    if (text.length > longest) return false;
    work.spend(1 + (text.length >> 3));
    return entries.has(text);
  };
}

function singleTest(base: Exclude<BaseOperator, 'in'>, value: string, resources: PatternResources): LeafTest {
  const { work } = resources;
  const beginning = 1 + (value.length >> 2);
  switch (base) {
    case 'equals':
      return (text) => {
        work.spend(1 + (value.length >> 4));
        return text === value;
      };
    case 'contains':
      return (text) => {
        work.spend(searchWork(text, value));
        return containsText(text, value);
      };
    case 'starts_with':
      return (text) => {
        work.spend(beginning);
        return text.startsWith(value);
      };
    case 'ends_with':
      return (text) => {
        work.spend(beginning);
        return text.endsWith(value);
      };
    case 'exists':
      return () => true;
    case 'matches':
    case 'matches_ci':
      return patternTest(value, base === 'matches_ci', resources);
  }
}

/** A unit for each byte; single ones are found by the processor's widest instructions. */
const searchWork = (text: string, value: string): number =>
  value.length < 2 ? 1 + (text.length >> 4) : text.length + value.length;

function patternTest(source: string, ignoreCase: boolean, resources: PatternResources): LeafTest {
  const parsed = parsePattern(source);
  if (!parsed.ok) return never;
  const { value: pattern } = parsed;
  const prepared = new PreparedPattern(pattern, resources, () => compilePattern(pattern, { ignoreCase }, resources));
  const needed = requiredText(pattern.tree, ignoreCase);
  return (text) => {
    resources.work.spend(searchWork(text, needed));
    return containsText(text, needed) && prepared.get().test(text);
  };
}
