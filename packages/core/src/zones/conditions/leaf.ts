import {
  baseOf,
  type FieldScope,
  type FieldSpelling,
  fieldNames,
  fieldOf,
  isFieldSpelling,
  isOperatorSpelling,
  type OperatorSpelling,
  operatorNames,
  operatorOf,
  takesList,
  takesValue,
} from '@zonewright/engine';
import { usageLimits } from '../../kernel/usage-limits/usage-limits.ts';
import { conditionFields } from './fields.ts';
import { type FormatProblem, formatProblem, type TextFormat, valueRequired, valueUnexpected } from './formats.ts';

/** Maximum size of stored conditions as JSON, in bytes of UTF-8, not counting address lists. */
export const conditionBytes = 16_384;

/** Size of the longest address with prefix length, plus its separator in JSON. */
const bytesPerAddress = 48;

/** The maximum size including address lists: it grows only if lists may be longer than usual. */
export const conditionBytesWith = (addresses: number): number =>
  conditionBytes + bytesPerAddress * Math.max(0, addresses - usageLimits.addresses.default);

/** A validated condition as the client wrote it, without empty members. */
export interface ConditionLeaf {
  readonly field: FieldSpelling;
  readonly operator: OperatorSpelling;
  /** Name of the header, cookie or query parameter. */
  readonly target?: string;
  readonly value?: string;
}

/** A condition of the right shape whose members are not validated yet. */
export interface LeafInput {
  readonly field: string;
  readonly operator: string;
  readonly target?: string | null | undefined;
  readonly value?: string | null | undefined;
}

/** A problem and the member of the condition that causes it. */
export interface LeafProblem extends FormatProblem {
  readonly member: keyof LeafInput;
}

/** Longer values are rejected before any other check; they would exceed the limit of all conditions anyway. */
const maxLengths = { addresses: conditionBytesWith(usageLimits.addresses.ceiling), others: conditionBytes } as const;

const controls = /\p{Cc}/u;
const controlsExceptLineBreaks = /\r(?!\n)|[^\P{Cc}\r\n]/u;

/** All problems of one condition, given the fields in scope. */
export function leafProblems(leaf: LeafInput, scope: FieldScope): readonly LeafProblem[] {
  const { field, operator } = leaf;
  const isField = isFieldSpelling(field, scope);
  const isOperator = isOperatorSpelling(operator);
  return [
    ...(isField ? targetProblems(field, leaf.target) : [unknownField(scope)]),
    ...(isOperator ? [] : [unknownOperator]),
    ...(isField && isOperator ? valueProblems(field, operator, leaf.value) : []),
  ];
}

/** The condition as it reads back. Also called for conditions with problems, to measure them. */
export function writtenLeaf({ field, operator, target, value }: LeafInput): ConditionLeaf {
  // An unknown field or operator has been reported already; here only its length counts.
  const written = { field, operator } as Pick<ConditionLeaf, 'field' | 'operator'>;
  const withTarget = isAbsent(target) ? written : { ...written, target };
  return isAbsentValue(operator, value) ? withTarget : { ...withTarget, value };
}

const isAbsent = (text: string | null | undefined): text is '' | null | undefined =>
  text === undefined || text === null || text === '';

/**
 * An empty value counts as absent unless the operator compares with it, as `equals` does; the operator may be unknown.
 */
const isAbsentValue = (operator: string, value: string | null | undefined): value is null | undefined =>
  isAbsent(value) && (value !== '' || !isOperatorSpelling(operator) || !takesValue(operatorOf(operator)));

function targetProblems(field: FieldSpelling, target: string | null | undefined): readonly LeafProblem[] {
  const form = conditionFields[fieldOf(field)].target;
  if (form === undefined) return isAbsent(target) ? [] : [unexpectedTarget(field)];
  if (isAbsent(target)) return [missingTarget(field)];
  return problemsOf('target', form(target));
}

function valueProblems(
  field: FieldSpelling,
  spelling: OperatorSpelling,
  value: string | null | undefined,
): readonly LeafProblem[] {
  const operator = operatorOf(spelling);
  const form = conditionFields[fieldOf(field)].values[baseOf(operator)];
  if (form === undefined) return [incompatible(field, spelling)];
  if (!takesValue(operator)) return isAbsent(value) ? [] : [{ member: 'value', ...valueUnexpected() }];
  if (value === undefined || value === null) return [{ member: 'value', ...valueRequired() }];
  const maxLength = isAddressList({ field, operator: spelling }) ? maxLengths.addresses : maxLengths.others;
  const problem = textProblem(value, takesList(operator), maxLength);
  if (problem !== undefined) return [{ member: 'value', ...problem }];
  return problemsOf('value', form(value));
}

const problemsOf = (member: LeafProblem['member'], checked: ReturnType<TextFormat>): readonly LeafProblem[] =>
  checked.match(
    () => [],
    (problem) => [{ member, ...problem }],
  );

/** Whether a condition compares with a list of addresses. */
export const isAddressList = ({ field, operator }: Pick<ConditionLeaf, 'field' | 'operator'>): boolean =>
  fieldOf(field) === 'ip' && takesList(operatorOf(operator));

/** Rejects what no subject can contain: control characters and lone surrogates. */
function textProblem(value: string, isList: boolean, maxLength: number): FormatProblem | undefined {
  if (value.length > maxLength) {
    return formatProblem('value.tooLong', `This value should have at most ${maxLength} characters.`);
  }
  if (!value.isWellFormed()) return formatProblem('value.encoding', 'This value contains a lone surrogate.');
  const forbidden = isList ? controlsExceptLineBreaks : controls;
  return forbidden.test(value) ? formatProblem('value.control', 'This value contains a control character.') : undefined;
}

const unknownField = (scope: FieldScope): LeafProblem => ({
  member: 'field',
  code: 'field',
  message: `This field is not known. Use one of: ${fieldNames(scope).join(', ')}.`,
});

const unknownOperator: LeafProblem = {
  member: 'operator',
  code: 'operator',
  message: `This operator is not known. Use one of: ${operatorNames.join(', ')}.`,
};

const incompatible = (field: FieldSpelling, operator: OperatorSpelling): LeafProblem => {
  const supported = Object.keys(conditionFields[fieldOf(field)].values).join(', ');
  const message = `The field "${field}" does not support the operator "${operator}". Use one of ${supported} or a negation of it.`;
  return { member: 'operator', code: 'operator.incompatible', message };
};

const unexpectedTarget = (field: FieldSpelling): LeafProblem => ({
  member: 'target',
  code: 'target.unexpected',
  message: `The field "${field}" does not take a target; leave it out.`,
});

const missingTarget = (field: FieldSpelling): LeafProblem => ({
  member: 'target',
  code: 'target.required',
  message: `The field "${field}" needs a target: the name to look for.`,
});
