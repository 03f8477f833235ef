import { AddressSet } from '../addresses/address-set.ts';
import { memoized } from '../memoized.ts';
import { compilePattern, PreparedPattern } from '../patterns/compile-pattern.ts';
import { parsePattern } from '../patterns/pattern.ts';
import type { PatternResources } from '../patterns/pattern-memory.ts';
import { requiredText } from '../patterns/required-text.ts';
import type { CanonicalRequest } from '../request/canonical-request.ts';
import { canonicalValue } from './canonical-value.ts';
import type { FieldName } from './fields.ts';
import { entriesOf } from './list-entries.ts';
import { type BaseOperator, baseOf, type ConditionOperator } from './operators.ts';

/** Tests a text against a base operator with its value; a condition holds if any text of its subject passes. */
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
  if (field === 'ip' && base === 'in') return addressTest(leaf);
  const { texts } = canonicalValue(field, operator, leaf.value);
  if (base === 'in') return inTest(texts);
  return texts[0] === undefined && base !== 'exists' ? never : singleTest(base, texts[0] ?? '', resources);
}

/** Lists have thousands of addresses: each is read once, when the first request is tested. */
const addressesIn = memoized(({ value }: Valued) => new AddressSet(entriesOf('ip', 'in', value)));

function addressTest(leaf: Valued): LeafTest {
  let addresses: AddressSet | undefined;
  return (_, { facts }) => {
    addresses ??= addressesIn(leaf);
    return facts.ip !== undefined && addresses.has(facts.ip.key);
  };
}

function inTest(texts: readonly string[]): LeafTest {
  const entries = new Set(texts);
  return (text) => entries.has(text);
}

function singleTest(base: Exclude<BaseOperator, 'in'>, value: string, resources: PatternResources): LeafTest {
  switch (base) {
    case 'equals':
      return (text) => text === value;
    case 'contains':
      return (text) => text.includes(value);
    case 'starts_with':
      return (text) => text.startsWith(value);
    case 'ends_with':
      return (text) => text.endsWith(value);
    case 'exists':
      return () => true;
    case 'matches':
    case 'matches_ci':
      return patternTest(value, base === 'matches_ci', resources);
  }
}

function patternTest(source: string, ignoreCase: boolean, resources: PatternResources): LeafTest {
  const parsed = parsePattern(source);
  if (!parsed.ok) return never;
  const { value: pattern } = parsed;
  const prepared = new PreparedPattern(pattern, resources, () => compilePattern(pattern, { ignoreCase }, resources));
  const needed = requiredText(pattern.tree, ignoreCase);
  return (text) => text.includes(needed) && prepared.for(text.length).test(text);
}
