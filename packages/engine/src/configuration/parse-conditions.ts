import { parseIpAddress, parseIpRange } from '../addresses/ip-address.ts';
import type { ConditionSet, Leaf } from '../conditions/compiled-conditions.ts';
import {
  type FieldName,
  type FieldScope,
  type FieldSpelling,
  fieldOf,
  fieldOperators,
  isFieldSpelling,
  listSeparator,
  takesTarget,
} from '../conditions/fields.ts';
import { listEntries } from '../conditions/list-entries.ts';
import { logicOf } from '../conditions/logic.ts';
import {
  type BaseOperator,
  baseOf,
  isOperatorSpelling,
  type OperatorSpelling,
  operatorOf,
} from '../conditions/operators.ts';
import { parsePattern } from '../patterns/pattern.ts';
import { list, memberOf, orNull, type Place, record, refuse, type Shape, text } from '../shapes.ts';

const written = record({ field: text, operator: text, target: orNull(text), value: orNull(text) });
const anySet = record({ logic: text, conditions: list((value) => [value]) });

/**
 * Parses a set of conditions. Values are rejected only if they cannot be evaluated; a value that no request can match
 * is accepted.
 */
export const conditionSet =
  (scope: FieldScope): Shape<ConditionSet> =>
  (value, place) => {
    const given = anySet(value, place);
    if (given === undefined) return undefined;
    const at = memberOf(place, 'conditions');
    const leaves = list(leafIn(scope))(
      given.conditions.map(([leaf]) => leaf),
      at,
    );
    if (given.conditions.length === 0) return refuse(at, 'list.tooShort', 'This list should have at least 1 entry.');
    const logic = logicOf(given.logic);
    if (logic === undefined) {
      return refuse(memberOf(place, 'logic'), 'condition.logic', 'This value should be "and" or "or".');
    }
    return { logic, leaves: leaves ?? [] };
  };

const leafIn =
  (scope: FieldScope): Shape<Leaf> =>
  (value, place) => {
    const given = written(value, place);
    if (given === undefined) return undefined;
    const field = fieldIn(scope, given.field, place);
    const operator = knownOperator(given.operator, place);
    if (field === undefined || operator === undefined) return undefined;
    const target = targetOf(fieldOf(field), given.target, place);
    const content = valueOf(field, operator, given.value, place);
    return target === undefined || content === undefined ? undefined : { field, operator, target, value: content };
  };

const fieldIn = (scope: FieldScope, spelling: string, place: Place): FieldSpelling | undefined =>
  isFieldSpelling(spelling, scope)
    ? spelling
    : refuse(memberOf(place, 'field'), 'condition.field', 'This field is not known.');

const knownOperator = (spelling: string, place: Place): OperatorSpelling | undefined =>
  isOperatorSpelling(spelling)
    ? spelling
    : refuse(memberOf(place, 'operator'), 'condition.operator', 'This operator is not known.');

function targetOf(field: FieldName, target: string | null, place: Place): string | undefined {
  const given = target ?? '';
  if (takesTarget(field) === (given !== '')) return given;
  return given === ''
    ? refuse(memberOf(place, 'target'), 'condition.target.required', 'This field needs a target.')
    : refuse(memberOf(place, 'target'), 'condition.target.unexpected', 'This field does not take a target.');
}

function valueOf(
  spelling: FieldSpelling,
  operatorSpelling: OperatorSpelling,
  value: string | null,
  place: Place,
): string | undefined {
  const field = fieldOf(spelling);
  const operator = baseOf(operatorOf(operatorSpelling));
  if (!fieldOperators[field].includes(operator)) {
    const message = 'This field does not support this operator.';
    return refuse(memberOf(place, 'operator'), 'condition.operator.incompatible', message);
  }
  if (operator === 'exists') return '';
  const at = memberOf(place, 'value');
  if (value === null) return refuse(at, 'condition.value.required', 'This operator needs a value.');
  return isReadable(field, operator, value, at) ? value : undefined;
}

/** Whether a value can be evaluated. */
function isReadable(field: FieldName, operator: BaseOperator, value: string, place: Place): boolean {
  if (operator === 'matches' || operator === 'matches_ci') return isPattern(value, place, 'condition.regex');
  if (field !== 'ip') return true;
  const entries = operator === 'in' ? listEntries(value, listSeparator(field)) : [value];
  const isRead = (entry: string) => (operator === 'in' ? parseIpRange(entry).ok : parseIpAddress(entry).ok);
  if (entries.every(isRead)) return true;
  refuse(place, 'condition.value.syntax', 'This value should consist of IP addresses.');
  return false;
}

/** Whether a text is a valid pattern; problems are recorded with a code that starts with `family`. */
export function isPattern(source: string, place: Place, family: string): boolean {
  const parsed = parsePattern(source);
  if (!parsed.ok) refuse(place, `${family}.${parsed.error.code}`, parsed.error.message);
  return parsed.ok;
}
