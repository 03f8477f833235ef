import type { Route } from '../../http/route.ts';
import { type Operation, typeAt } from './resource-classes.ts';

/** `ban-token` as `BanToken`. */
export const pascalCase = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');

/** The class of what an action reads that is no resource, such as `UserPassword`. */
export const inputClassOf = ({ route: { accepts }, place }: Operation): string | undefined =>
  accepts !== undefined && place.on === 'part' && place.collectionOf === undefined
    ? `${place.owner}${pascalCase(place.name)}`
    : undefined;

const actions: Readonly<Partial<Record<Route['method'], string>>> = {
  get: 'schema:FindAction',
  put: 'schema:ReplaceAction',
  patch: 'schema:UpdateAction',
  delete: 'schema:DeleteAction',
};

/** What can be done with a resource (Hydra core vocabulary, "Operation"). */
export function describeOperation(operation: Operation): Readonly<Record<string, unknown>> {
  const { route } = operation;
  return {
    '@type': ['Operation', actions[route.method] ?? (isCreation(operation) ? 'schema:CreateAction' : 'schema:Action')],
    method: route.method.toUpperCase(),
    title: titleOf(operation),
    description: [route.summary, route.description].filter((text) => text !== undefined).join(' '),
    ...(route.accepts === undefined ? {} : { expects: expected(operation), expectsHeader: expectedHeaders(route) }),
    returns: returned(route),
  };
}

const isCreation = ({ route: { answers }, place }: Operation): boolean =>
  answers.kind === 'item' && answers.resource.type === typeAt(place) && place.on !== 'item';

const expected = (operation: Operation): string | undefined =>
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

/** A name for programs: `getZone`, `getZoneCollection`, `postZoneBanToken`. */
function titleOf(operation: Operation): string {
  const { route, place } = operation;
  const type = typeAt(place);
  const lastWord = route.path.slice(route.path.lastIndexOf('/') + 1);
  if (place.on === 'item') return `${route.method}${place.type}${lastWord.startsWith(':') ? '' : pascalCase(lastWord)}`;
  if (place.on === 'part' && type === undefined) return `${route.method}${place.owner}${pascalCase(place.name)}`;
  return `${route.method}${type}${isCreation(operation) ? '' : 'Collection'}`;
}
