type Described = Readonly<Record<string, unknown>>;

/** Problems as linked data: the members are those of RFC 9457 section 3.1. */
const members: readonly (readonly [name: string, id: string, range: string, description: string])[] = [
  ['title', 'hydra:title', 'xsd:string', 'What kind of problem it is, in a few words.'],
  ['status', 'hydra:statusCode', 'xsd:integer', 'The status code of the answer.'],
  ['detail', '#Error/detail', 'xsd:string', 'What happened this time.'],
  ['description', 'hydra:description', 'xsd:string', 'The same as `detail`.'],
  ['type', '#Error/type', 'rdfs:Resource', 'A page about the kind of problem.'],
  ['requestId', '#Error/requestId', 'xsd:string', 'Name it when you report a failure of the service.'],
  ['usedBy', '#Error/usedBy', 'rdf:JSON', 'What needs the thing that cannot be deleted.'],
];

const violations = ['violations', '#ConstraintViolationList/violations', '#Violation', 'Each wrong value.'] as const;

const violationMembers: typeof members = [
  ['propertyPath', '#propertyPath', 'xsd:string', 'The member at fault; empty for the body as a whole.'],
  ['message', '#message', 'xsd:string', 'What is wrong, for people.'],
  ['code', '#code', 'xsd:string', 'What is wrong, for programs.'],
];

const readable = (type: string, [name, id, range, description]: (typeof members)[number]): Described => ({
  '@type': 'SupportedProperty',
  property: {
    '@id': id,
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

const problemClass = (
  type: string,
  description: string,
  { parent, properties }: { readonly parent?: string; readonly properties: typeof members },
): Described => ({
  '@id': `#${type}`,
  '@type': 'Class',
  ...(parent === undefined ? {} : { subClassOf: parent }),
  title: type,
  description,
  supportedProperty: properties.map((property) => readable(type, property)),
});

/** Classes of problem documents, for clients that ask for linked data. */
export const problemClasses: readonly Described[] = [
  problemClass('Error', 'Why a request was refused.', { parent: 'hydra:Error', properties: members }),
  problemClass('ConstraintViolationList', 'An error that says what is wrong with each value.', {
    parent: '#Error',
    properties: [violations],
  }),
  problemClass('ConstraintViolation', 'A request was refused for values in it.', {
    parent: '#ConstraintViolationList',
    properties: [],
  }),
  problemClass('Violation', 'What is wrong with a value.', { properties: violationMembers }),
];
