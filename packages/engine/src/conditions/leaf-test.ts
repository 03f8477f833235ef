import { AddressSet } from '../addresses/address-set.ts';
import { parseIpRange } from '../addresses/ip-address.ts';
import { memoized } from '../memoized.ts';
import { compilePattern, PreparedPattern, readPattern } from '../patterns/compile-pattern.ts';
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

/** The work of reading a value, for each of its characters, and of looking an address up. */
const readingWork = { text: 5, address: 10 } as const;
const lookupWork = 100;

/**
 * The test of a condition with this field, operator and valid value. Making it is charged: most requests reach only some of
 * the conditions. A value that cannot be read refuses the evaluation, because it is unknown what the condition protects.
 */
export function leafTest(
  field: FieldName,
  operator: ConditionOperator,
  leaf: Valued,
  resources: PatternResources,
): LeafTest {
  const base = baseOf(operator);
  const { work } = resources;
  if (base === 'matches' || base === 'matches_ci') return patternTest(leaf.value, base === 'matches_ci', resources);
  if (field === 'ip' && base === 'in') return addressTest(leaf, work);
  const texts = textsOf(field, operator, leaf, work);
  if (base === 'in') return inTest(texts, work);
  return texts[0] === undefined && base !== 'exists' ? never : singleTest(base, texts[0] ?? '', work);
}

function textsOf(field: FieldName, operator: ConditionOperator, { value }: Valued, work: Work): readonly string[] {
  work.spend(readingWork.text * value.length);
  const { texts, unmatchable } = canonicalValue(field, operator, value);
  return field === 'ip' && unmatchable.length > 0 ? work.refuse(unreadableAddress) : texts;
}

const unreadableAddress = 'A condition names an address that cannot be read.';

/** Undefined: there is an entry that cannot be read. */
const addressesIn = memoized(({ value }: Valued): AddressSet | undefined => {
  const ranges = entriesOf('ip', 'in', value).map(parseIpRange);
  const readable = ranges.flatMap((range) => (range.ok ? [range.value] : []));
  return readable.length === ranges.length ? new AddressSet(readable) : undefined;
});

function addressTest(leaf: Valued, work: Work): LeafTest {
  work.spend(readingWork.address * leaf.value.length);
  const addresses = addressesIn(leaf) ?? work.refuse(unreadableAddress);
  return (_, { facts }) => {
    work.spend(lookupWork);
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

type ComparingOperator = Exclude<BaseOperator, 'in' | 'matches' | 'matches_ci'>;

function singleTest(base: ComparingOperator, value: string, work: Work): LeafTest {
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
  }
}

/** A unit for each byte; single ones are found by the processor's widest instructions. */
const searchWork = (text: string, value: string): number =>
  value.length < 2 ? 1 + (text.length >> 4) : text.length + value.length;

function patternTest(source: string, ignoreCase: boolean, resources: PatternResources): LeafTest {
  const pattern = readPattern(source, resources.work);
  const prepared = new PreparedPattern(pattern, resources, () => compilePattern(pattern, { ignoreCase }, resources));
  const needed = requiredText(pattern.tree, ignoreCase);
  return (text) => {
    resources.work.spend(searchWork(text, needed));
    return containsText(text, needed) && prepared.get().test(text);
  };
}
