import { AddressSet, addressKeyOf } from '../addresses/address-set.ts';
import { compilePattern } from '../patterns/compile-pattern.ts';
import type { MatcherMemory } from '../patterns/matcher-memory.ts';
import { parsePattern } from '../patterns/pattern.ts';
import { canonicalValue } from './canonical-value.ts';
import type { FieldName } from './fields.ts';
import { type BaseOperator, baseOf, type ConditionOperator } from './operators.ts';
import type { Subject } from './subjects.ts';

/** Whether a base operator is true of a known subject: whether some string of it fits. */
export type LeafTest = (subject: Subject) => boolean;

const never: LeafTest = () => false;

/** The test of a base operator with its value; the value is one that its field and operator accept. */
export function leafTest(
  field: FieldName,
  operator: ConditionOperator,
  written: string,
  memory: MatcherMemory,
): LeafTest {
  const base = baseOf(operator);
  const { texts } = canonicalValue(field, operator, written);
  if (base === 'in') return inTest(field, texts);
  return texts[0] === undefined && base !== 'exists' ? never : singleTest(base, texts[0] ?? '', memory);
}

function inTest(field: FieldName, texts: readonly string[]): LeafTest {
  if (field === 'ip') {
    const addresses = new AddressSet(texts);
    return (subject) => subject.some((text) => addresses.has(addressKeyOf(text) ?? ''));
  }
  const entries = new Set(texts);
  return (subject) => subject.some((text) => entries.has(text));
}

function singleTest(base: Exclude<BaseOperator, 'in'>, value: string, memory: MatcherMemory): LeafTest {
  switch (base) {
    case 'equals':
      return (subject) => subject.includes(value);
    case 'contains':
      return (subject) => subject.some((text) => text.includes(value));
    case 'starts_with':
      return (subject) => subject.some((text) => text.startsWith(value));
    case 'ends_with':
      return (subject) => subject.some((text) => text.endsWith(value));
    case 'exists':
      return (subject) => subject.length > 0;
    case 'matches':
    case 'matches_ci':
      return patternTest(value, base === 'matches_ci', memory);
  }
}

/** A pattern is compiled when it is first asked: most requests reach few of them. */
function patternTest(source: string, ignoreCase: boolean, memory: MatcherMemory): LeafTest {
  let matcher: { test(subject: string): boolean } | undefined;
  return (subject) => {
    if (subject.length === 0) return false;
    matcher ??= matcherOf(source, ignoreCase, memory);
    const ready = matcher;
    return subject.some((text) => ready.test(text));
  };
}

function matcherOf(source: string, ignoreCase: boolean, memory: MatcherMemory): { test(subject: string): boolean } {
  const parsed = parsePattern(source);
  return parsed.ok ? compilePattern(parsed.value, { ignoreCase }, memory) : { test: () => false };
}
