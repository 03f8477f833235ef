import type { Route } from '../../http/route.ts';
import type { Role } from '../model.ts';
import { pascalCase } from '../words.ts';
import { type PlacedOperation, typeAt } from './resource-classes.ts';

/** The class of an action's input that is not a resource, such as `UserPassword`. */
export const inputClassOf = ({ route: { accepts }, place }: PlacedOperation): string | undefined =>
  accepts !== undefined && place.on === 'part' && place.collectionOf === undefined
    ? `${place.owner}${pascalCase(place.name)}`
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
export function describeOperation(operation: PlacedOperation): Readonly<Record<string, unknown>> {
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

const expected = (operation: PlacedOperation): string | undefined =>
  operation.route.accepts?.kind === 'list' ? 'Collection' : (inputClassOf(operation) ?? typeAt(operation.place));

const expectedHeaders = ({ consumes, needsPrecondition }: Route) => [
  { headerName: 'Content-Type', possibleValue: consumes },
  ...(needsPrecondition ? [{ headerName: 'If-Match' }] : []),
];

function returned({ answers }: Route): string {
  switch (answers.kind) {
    case 'item':
      return answers.resource.type;
    case 'list':
      return 'Collection';
    case 'object':
      return answers.title;
    case 'nothing':
      return 'owl:Nothing';
  }
}

/** A machine-readable name: `getZone`, `getZoneCollection`, `getZoneEvaluation`, `postZoneBanToken`. */
function titleOf(operation: PlacedOperation): string {
  const { route, place } = operation;
  const type = typeAt(place);
  const lastWord = route.path.slice(route.path.lastIndexOf('/') + 1);
  if (place.on === 'item' && lastWord.startsWith(':')) return `${route.method}${place.type}`;
  if (place.on === 'item') return `${route.method}${place.owner ?? place.type}${pascalCase(lastWord)}`;
  if (place.on === 'part' && type === undefined) return `${route.method}${place.owner}${pascalCase(place.name)}`;
  return `${route.method}${type}${operation.role === 'create' ? '' : 'Collection'}`;
}
