import type { ProblemType } from '../../errors/linked-problem.ts';
import { type Context, linkTo } from './context.ts';
import { namespaces, type PublicAddress, vocabularyOf } from './vocabulary.ts';

interface Term {
  readonly name: string;
  readonly id: string;
  readonly range: string;
  readonly isList?: true;
  readonly description: string;
}

/** Members of every problem: those of RFC 9457 section 3.1 and our extensions. */
const errorTerms: readonly Term[] = [
  { name: 'title', id: 'hydra:title', range: 'xsd:string', description: 'A short summary of the kind of problem.' },
  { name: 'status', id: 'hydra:statusCode', range: 'xsd:integer', description: 'The status code of the response.' },
  { name: 'detail', id: 'Error/detail', range: 'xsd:string', description: 'What went wrong in this case.' },
  { name: 'description', id: 'hydra:description', range: 'xsd:string', description: 'The same as `detail`.' },
  { name: 'type', id: 'Error/type', range: 'rdfs:Resource', description: 'Link to a page about this kind of problem.' },
  {
    name: 'requestId',
    id: 'Error/requestId',
    range: 'xsd:string',
    description: 'Id of the request; include it in error reports.',
  },
  {
    name: 'usedBy',
    id: 'Error/usedBy',
    range: 'rdfs:Resource',
    isList: true,
    description: 'What still uses the resource.',
  },
  {
    name: 'methods',
    id: 'Error/methods',
    range: 'xsd:string',
    isList: true,
    description: 'How the session can be confirmed.',
  },
  {
    name: 'provider',
    id: 'Error/provider',
    range: 'xsd:string',
    description: 'Id of the provider that the organization requires.',
  },
  {
    name: 'permission',
    id: 'Error/permission',
    range: 'xsd:string',
    description: 'The permission that the API token lacks.',
  },
  { name: 'fits', id: 'Error/fits', range: 'xsd:integer', description: 'Number of items that fit on the page.' },
  {
    name: 'conflicts',
    id: 'Error/conflicts',
    range: 'rdf:JSON',
    description: 'The places that both a change set and its zone have changed.',
  },
];

const violationsTerm: Term = {
  name: 'violations',
  id: 'ConstraintViolationList/violations',
  range: '#Violation',
  description: 'The violations, one for each invalid value.',
};

/** Known clients expect these names directly in the vocabulary, not under a class name. */
const violationTerms: readonly Term[] = [
  {
    name: 'propertyPath',
    id: 'propertyPath',
    range: 'xsd:string',
    description: 'Path of the member; empty for the body as a whole.',
  },
  { name: 'message', id: 'message', range: 'xsd:string', description: 'A human-readable explanation.' },
  { name: 'code', id: 'code', range: 'xsd:string', description: 'A machine-readable code.' },
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
