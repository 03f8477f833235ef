import type { Role } from '../model.ts';
import type { DescribedRoute } from '../route.ts';
import { pascalCase } from '../words.ts';
import { type TargetedOperation, typeAt } from './resource-classes.ts';

/** The class of an action's input that is not a resource, such as `UserPassword`. */
export const inputClassOf = ({ route: { accepts }, target }: TargetedOperation): string | undefined =>
  accepts !== undefined && target.on === 'part' && target.collectionOf === undefined
    ? `${target.owner}${pascalCase(target.name)}`
    : undefined;

const actions: Readonly<Record<Role, string>> = {
  list: 'schema:FindAction',
  read: 'schema:FindAction',
  create: 'schema:CreateAction',
  update: 'schema:UpdateAction',
  replace: 'schema:ReplaceAction',
  delete: 'schema:DeleteAction',
  action: 'schema:Action',
};

/** An operation on a resource (Hydra core vocabulary, "Operation"). */
export function describeOperation(operation: TargetedOperation): Readonly<Record<string, unknown>> {
  const { route } = operation;
  return {
    '@type': ['Operation', actions[operation.role]],
    method: route.method.toUpperCase(),
    title: titleOf(operation),
    description: [route.summary, route.description].filter((text) => text !== undefined).join(' '),
    ...(route.accepts === undefined ? {} : { expects: expected(operation), expectsHeader: expectedHeaders(route) }),
    returns: returned(route),
  };
}

const expected = (operation: TargetedOperation): string | undefined =>
  operation.route.accepts?.kind === 'list' ? 'Collection' : (inputClassOf(operation) ?? typeAt(operation.target));

const expectedHeaders = ({ consumes, needsPrecondition }: DescribedRoute) => [
  { headerName: 'Content-Type', possibleValue: consumes },
  ...(needsPrecondition ? [{ headerName: 'If-Match' }] : []),
];

function returned({ answers }: DescribedRoute): string {
  switch (answers.kind) {
    case 'item':
      return answers.resource.type;
    case 'list':
      return 'Collection';
    case 'object':
      return answers.title;
    case 'nothing':
    case 'redirect':
      return 'owl:Nothing';
  }
}

/** A machine-readable name: `getZone`, `getZoneCollection`, `getZoneEvaluation`, `postZoneBanToken`. */
function titleOf(operation: TargetedOperation): string {
  const { route, target } = operation;
  const type = typeAt(target);
  const lastWord = route.path.slice(route.path.lastIndexOf('/') + 1);
  if (target.on === 'item' && lastWord.startsWith(':')) return `${route.method}${target.type}`;
  if (target.on === 'item') return `${route.method}${target.owner ?? target.type}${pascalCase(lastWord)}`;
  if (target.on === 'part' && type === undefined) return `${route.method}${target.owner}${pascalCase(target.name)}`;
  return `${route.method}${type}${operation.role === 'create' ? '' : 'Collection'}`;
}
