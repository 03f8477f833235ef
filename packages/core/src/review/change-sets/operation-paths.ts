import { type Violation, violation } from '../../kernel/shared/violation.ts';
import { settingsMember } from '../../zones/drafts/zone-contents.ts';
import type { RuleKind } from '../../zones/rule-kinds/rule-kinds.ts';
import { ruleKindNames, ruleListNames } from '../../zones/rule-kinds/rule-lists.ts';
import { memberNames, type Operation } from './operation.ts';

const rulePath = /^(\w+)\.items\.([^.]+)\.?(.*)$/;
const kinds = new Map<string, RuleKind>(ruleKindNames.map((kind) => [ruleListNames[kind], kind]));

/**
 * Attributes violations of a document to the last operation that touched their place. Paths start at the list of
 * operations.
 */
export const violationsAtOperations = (
  violations: readonly Violation[],
  operations: readonly Operation[],
): readonly Violation[] =>
  violations.map(({ propertyPath, code, message }) => violation(placeOf(propertyPath, operations), code, message));

function placeOf(path: string, operations: readonly Operation[]): string {
  const ofRule = rulePath.exec(path);
  if (ofRule !== null) return ruleWrite(operations, ofRule) ?? settingsWrite(operations, '') ?? '';
  const kind = kinds.get(path);
  return kind === undefined
    ? (settingsWrite(operations, path.slice(settingsMember.length + 1)) ?? '')
    : (lastOf(operations, (each) => each.op === 'create' && each.kind === kind) ?? '');
}

/** The last operation that wrote the rule's member at the path, or else the last that wrote the rule. */
function ruleWrite(
  operations: readonly Operation[],
  [, list = '', id, path = '']: RegExpExecArray,
): string | undefined {
  const writes = (operation: Operation) =>
    (operation.op === 'create' || operation.op === 'update') &&
    operation.kind === kinds.get(list) &&
    operation.id === id;
  if (path === '') return lastOf(operations, writes)?.replace(/\.value$/, '.id');
  return (
    lastOf(operations, (each) => writes(each) && (each.op === 'create' || names(each, path)), path) ??
    lastOf(operations, writes, path)
  );
}

/** The same for a setting; no operation wrote a rule that only a settings change made invalid. */
const settingsWrite = (operations: readonly Operation[], path: string): string | undefined =>
  lastOf(operations, (each) => each.op === 'settings' && names(each, path), path) ??
  lastOf(operations, ({ op }) => op === 'settings', path);

/** Whether the operation writes the first member of a path. */
const names = (operation: Operation, path: string): boolean =>
  'members' in operation && Object.hasOwn(operation.members, path.replace(/[.[].*$/, ''));

/** The path of the last operation of a kind, or of a place in its members. */
function lastOf(
  operations: readonly Operation[],
  wanted: (operation: Operation) => boolean,
  path = '',
): string | undefined {
  const index = operations.findLastIndex(wanted);
  const operation = operations[index];
  if (operation === undefined) return undefined;
  const member = operation.op === 'delete' || operation.op === 'move' ? '' : `.${memberNames[operation.op]}`;
  return path === '' ? `[${index}]${member}` : `[${index}]${member}.${path}`;
}
