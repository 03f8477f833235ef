import type { ProblemType } from '../problems/problem-types.ts';
import { type Context, linkTo } from './context.ts';
import { namespaces, type PublicAddress, vocabularyOf } from './vocabulary.ts';

interface Term {
  readonly name: string;
  readonly id: string;
  readonly range: string;
  readonly isList?: true;
  readonly description: string;
}

/** A string below `Error`, unless `special` says otherwise. */
const term = (name: string, description: string, special: Partial<Term> = {}): Term => ({
  name,
  id: `Error/${name}`,
  range: 'xsd:string',
  description,
  ...special,
});

/** Members of every problem: those of RFC 9457 section 3.1 and our extensions. */
const errorTerms: readonly Term[] = [
  term('title', 'A short summary of the kind of problem.', { id: 'hydra:title' }),
  term('status', 'The status code of the response.', { id: 'hydra:statusCode', range: 'xsd:integer' }),
  term('detail', 'What went wrong in this case.'),
  term('description', 'The same as `detail`.', { id: 'hydra:description' }),
  term('type', 'Link to a page about this kind of problem.', { range: 'rdfs:Resource' }),
  term('requestId', 'Id of the request; include it in error reports.'),
  term('usedBy', 'What still uses the resource.', { range: 'rdfs:Resource', isList: true }),
  term('methods', 'How the session can be confirmed.', { isList: true }),
  term('provider', 'Id of the provider that the organization requires.'),
  term('permission', 'The permission that the API token lacks.'),
  term('fits', 'Number of items that fit on the page.', { range: 'xsd:integer' }),
  term('conflicts', 'The places that both a change set and its zone have changed.', { range: 'rdf:JSON' }),
];

const violationsTerm = term('violations', 'The violations, one for each invalid value.', {
  id: 'ConstraintViolationList/violations',
  range: '#Violation',
});

/** Known clients expect these names directly in the vocabulary, not under a class name. */
const violationTerms: readonly Term[] = [
  term('propertyPath', 'Path of the member; empty for the body as a whole.', { id: 'propertyPath' }),
  term('message', 'A human-readable explanation.', { id: 'message' }),
  term('code', 'A machine-readable code.', { id: 'code' }),
];

/** The context of a problem document. */
export const problemContext = (type: ProblemType, address: PublicAddress): Context => ({
  '@version': 1.1,
  '@vocab': vocabularyOf(address),
  hydra: namespaces.hydra,
  ...Object.fromEntries(errorTerms.map((term) => [term.name, definitionOf(term)])),
  ...(type === 'ConstraintViolation' ? { violations: { '@id': violationsTerm.id, '@container': '@set' } } : {}),
});

function definitionOf({ id, range, isList }: Term): unknown {
  if (range !== 'rdfs:Resource') return id;
  return isList ? { ...linkTo(id), '@container': '@set' } : linkTo(id);
}

type Node = Readonly<Record<string, unknown>>;

function classOf(type: string, parent: string, description: string, terms: readonly Term[]): Node {
  return {
    '@id': `#${type}`,
    '@type': 'Class',
    subClassOf: parent,
    title: type,
    description,
    supportedProperty: terms.map((term) => supported(type, term)),
  };
}

const supported = (type: string, { name, id, range, description }: Term): Node => ({
  '@type': 'SupportedProperty',
  property: {
    '@id': id.startsWith('hydra:') ? id : `#${id}`,
    '@type': range === 'rdfs:Resource' ? 'Link' : 'rdf:Property',
    label: name,
    domain: `#${type}`,
    range,
  },
  title: name,
  required: false,
  readable: true,
  writeable: false,
  description,
});

/** Classes of problem documents in JSON-LD. */
export const problemClasses: readonly Node[] = [
  classOf('Error', 'hydra:Error', 'Why a request was refused.', errorTerms),
  classOf('ConstraintViolationList', '#Error', 'An error with a violation for each invalid value.', [violationsTerm]),
  classOf('ConstraintViolation', '#ConstraintViolationList', 'A request was refused because of invalid values.', []),
  classOf('Violation', 'rdfs:Resource', 'A reason why a value is invalid.', violationTerms),
];
