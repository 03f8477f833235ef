import { parseIpAddress, parseIpRange } from '../addresses/ip-address.ts';
import type { ConditionSet, Leaf } from '../conditions/compiled-conditions.ts';
import {
  type FieldName,
  type FieldScope,
  type FieldSpelling,
  fieldOf,
  fieldOperators,
  isFieldSpelling,
  takesTarget,
} from '../conditions/fields.ts';
import { entriesOf } from '../conditions/list-entries.ts';
import { logicOf } from '../conditions/logic.ts';
import {
  type BaseOperator,
  baseOf,
  isOperatorSpelling,
  type OperatorSpelling,
  operatorOf,
} from '../conditions/operators.ts';
import { parsePattern } from '../patterns/pattern.ts';
import { type Location, list, memberOf, orNull, record, refuse, type Shape, text } from '../shapes.ts';

const written = record({ field: text, operator: text, target: orNull(text), value: orNull(text) });
const anySet = record({ logic: text, conditions: list((value) => [value]) });

/**
 * Parses a set of conditions. Values are rejected only if they cannot be evaluated; a value that no request can match
 * is accepted.
 */
export const conditionSet =
  (scope: FieldScope): Shape<ConditionSet> =>
  (value, location) => {
    const given = anySet(value, location);
    if (given === undefined) return undefined;
    const at = memberOf(location, 'conditions');
    const leaves = list(leafIn(scope))(
      given.conditions.map(([leaf]) => leaf),
      at,
    );
    if (given.conditions.length === 0) return refuse(at, 'list.tooShort', 'This list should have at least 1 entry.');
    const logic = logicOf(given.logic);
    if (logic === undefined) {
      return refuse(memberOf(location, 'logic'), 'condition.logic', 'This value should be "and" or "or".');
    }
    return { logic, leaves: leaves ?? [] };
  };

const leafIn =
  (scope: FieldScope): Shape<Leaf> =>
  (value, location) => {
    const given = written(value, location);
    if (given === undefined) return undefined;
    const field = isFieldSpelling(given.field, scope)
      ? given.field
      : refuse(memberOf(location, 'field'), 'condition.field', 'This field is not known.');
    const operator = isOperatorSpelling(given.operator)
      ? given.operator
      : refuse(memberOf(location, 'operator'), 'condition.operator', 'This operator is not known.');
    if (field === undefined || operator === undefined) return undefined;
    const target = targetOf(fieldOf(field), given.target, location);
    const content = valueOf(field, operator, given.value, location);
    return target === undefined || content === undefined ? undefined : { field, operator, target, value: content };
  };

function targetOf(field: FieldName, target: string | null, location: Location): string | undefined {
  const given = target ?? '';
  if (takesTarget(field) === (given !== '')) return given;
  return given === ''
    ? refuse(memberOf(location, 'target'), 'condition.target.required', 'This field needs a target.')
    : refuse(memberOf(location, 'target'), 'condition.target.unexpected', 'This field does not take a target.');
}

function valueOf(
  spelling: FieldSpelling,
  operatorSpelling: OperatorSpelling,
  value: string | null,
  location: Location,
): string | undefined {
  const field = fieldOf(spelling);
  const operator = baseOf(operatorOf(operatorSpelling));
  if (!fieldOperators[field].includes(operator)) {
    const message = 'This field does not support this operator.';
    return refuse(memberOf(location, 'operator'), 'condition.operator.incompatible', message);
  }
  if (operator === 'exists') return '';
  const at = memberOf(location, 'value');
  if (value === null) return refuse(at, 'condition.value.required', 'This operator needs a value.');
  return isReadable(field, operator, value, at) ? value : undefined;
}

/** Whether a value can be evaluated. */
function isReadable(field: FieldName, operator: BaseOperator, value: string, location: Location): boolean {
  if (operator === 'matches' || operator === 'matches_ci') return isPattern(value, location, 'condition.regex');
  if (field !== 'ip' || location.isValidated === true) return true;
  const isRead = (entry: string) => (operator === 'in' ? parseIpRange(entry).ok : parseIpAddress(entry).ok);
  if (entriesOf(field, operator, value).every(isRead)) return true;
  refuse(location, 'condition.value.syntax', 'This value should consist of IP addresses.');
  return false;
}

/** Whether a text is a valid pattern; problems are recorded with a code that starts with `family`. */
export function isPattern(source: string, location: Location, family: string): boolean {
  if (location.isValidated === true) return true;
  const parsed = parsePattern(source);
  if (!parsed.ok) refuse(location, `${family}.${parsed.error.code}`, parsed.error.message);
  return parsed.ok;
}
