import type { Outcome } from '@zonewright/engine';
import { err, ok, type Result } from 'neverthrow';
import type { z } from 'zod';
import { type Json, withoutNulls } from './json.ts';
import { type InvalidInput, invalidInput, propertyPath, type Violation, violation } from './violation.ts';

type Issue = z.core.$ZodIssue;

const requiredMessage = 'This member is required.';

/** Parses unknown input into a validated value, or reports all violations. The only way to create a branded value. */
export function parse<S extends z.ZodType>(schema: S, input: unknown): Result<z.output<S>, InvalidInput> {
  const parsed = schema.safeParse(input, { reportInput: true });
  return parsed.success ? ok(parsed.data) : err(invalidInput(parsed.error.issues.flatMap(violationsOf)));
}

/**
 * `parse` for a client's representation of a resource, new or patched, in which null means absent. Unknown members are still violations.
 */
export const parseDocument = <S extends z.ZodType>(schema: S, document: Json): Result<z.output<S>, InvalidInput> =>
  parse(schema, document).orElse(({ violations: ofAll }): Result<z.output<S>, InvalidInput> => {
    const given = parse(schema, withoutNulls(document));
    const ofGiven = given.isErr() ? given.error.violations : [];
    const reported = new Set(ofGiven.map((each) => each.propertyPath));
    const unknown = ofAll.filter(({ code, propertyPath: path }) => code === 'member.unknown' && !reported.has(path));
    return unknown.length === 0 ? given : err(invalidInput([...ofGiven, ...unknown]));
  });

/** The outcome of a parser of the engine, which has no dependencies, as a result. */
export const resultOf = <T, E>(outcome: Outcome<T, E>): Result<T, E> =>
  outcome.ok ? ok(outcome.value) : err(outcome.error);

/**
 * Arguments for a zod `refine` or custom issue with a stable violation code: `schema.refine(isLeap, coded('date.leap',
 * 'must be in a leap year'))`.
 */
export const coded = (code: string, message: string) => ({ message, params: { code } });

function violationsOf(issue: Issue): Violation[] {
  const path = propertyPath(issue.path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) =>
      violation(propertyPath([...issue.path, key]), 'member.unknown', 'This member is not known.'),
    );
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) return closestAlternative(issue, path);
  return [violation(path, codeOf(issue), messageOf(issue))];
}

/** Of a union's alternatives, the one whose parsing got furthest is the most helpful to report. */
function closestAlternative(issue: Extract<Issue, { code: 'invalid_union' }>, path: string): Violation[] {
  const depth = (issues: readonly Issue[]) => Math.max(0, ...issues.map((inner) => inner.path.length));
  const [closest] = [...issue.errors].sort((a, b) => depth(b) - depth(a));
  if (closest === undefined || depth(closest) === 0) {
    return [violation(path, 'member.type', 'This value does not have one of the allowed types.')];
  }
  return closest.flatMap((inner) => violationsOf({ ...inner, path: [...issue.path, ...inner.path] }));
}

function codeOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'member.required' : 'member.type';
    case 'too_small':
    case 'too_big':
      return sizeCode(issue);
    case 'invalid_value':
      return issue.input === undefined ? 'member.required' : 'value.choice';
    case 'custom':
      return typeof issue.params?.['code'] === 'string' ? issue.params['code'] : 'value.invalid';
    default:
      return 'value.format';
  }
}

function sizeCode(issue: Extract<Issue, { code: 'too_small' | 'too_big' }>): string {
  if (issue.origin === 'string') return issue.code === 'too_big' ? 'text.tooLong' : 'text.tooShort';
  if (issue.origin === 'array') return issue.code === 'too_big' ? 'list.tooLong' : 'list.tooShort';
  return 'number.range';
}

function messageOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? requiredMessage : `This value should be ${named(issue.expected)}.`;
    case 'too_small':
      return limitMessage(issue, Number(issue.minimum), 'at least');
    case 'too_big':
      return limitMessage(issue, Number(issue.maximum), 'at most');
    case 'invalid_value':
      if (issue.input === undefined) return requiredMessage;
      return `This value should be one of: ${issue.values.map(String).join(', ')}.`;
    case 'invalid_format':
      return `This value is not a valid ${issue.format}.`;
    default:
      return issue.message;
  }
}

function limitMessage(
  issue: Extract<Issue, { code: 'too_small' | 'too_big' }>,
  limit: number,
  bound: 'at least' | 'at most',
): string {
  if (issue.origin === 'string') return sizeMessage(bound, limit, 'character');
  if (issue.origin === 'array') return sizeMessage(bound, limit, 'entry');
  return `This value should be ${bound} ${limit}.`;
}

const plurals = { character: 'characters', entry: 'entries', byte: 'bytes' } as const;

/** The message of a value with too little or too much of something: `This value should have at least 1 character.` */
export const sizeMessage = (bound: 'at least' | 'at most', limit: number, unit: keyof typeof plurals): string =>
  `This value should have ${bound} ${limit} ${limit === 1 ? unit : plurals[unit]}.`;

function named(expected: string): string {
  const article = /^[aeio]/.test(expected) ? 'an' : 'a';
  return expected === 'int' ? 'an integer' : `${article} ${expected === 'record' ? 'object' : expected}`;
}
