import type { Member } from './class-members.ts';
import type { NestedMember } from './nested-members.ts';
import type { MemberValue } from './values.ts';

/** The supported properties of a class. */
export const supportedProperties = (type: string, members: readonly Member[]) =>
  members.flatMap((member) => [
    supportedProperty(type, member),
    ...member.nested.map((nested) => supportedProperty(type, { ...member, ...nested, ...rightsOn(nested, member) })),
  ]);

const rightsOn = ({ isFillable }: NestedMember, { isWriteable }: Member) => ({
  isWriteable: isWriteable && isFillable,
  isRequired: false,
  nested: [],
});

/**
 * A supported property (Hydra core vocabulary, "SupportedProperty"). An object with described contents omits `readable`
 * and `writeable`: front ends would otherwise offer it as a text field.
 */
const supportedProperty = (type: string, member: Member) => ({
  '@type': 'SupportedProperty',
  property: {
    '@id': `#${type}/${member.name}`,
    '@type': member.value.kind === 'link' ? 'Link' : 'rdf:Property',
    label: member.name,
    domain: `#${type}`,
    range: rangeOf(member.value),
    ...(member.value.isList ? {} : { 'owl:maxCardinality': 1 }),
  },
  title: member.name,
  required: member.isRequired,
  ...(member.nested.length > 0 ? {} : { readable: member.isReadable, writeable: member.isWriteable }),
  ...(member.description === undefined ? {} : { description: member.description }),
});

function rangeOf(value: MemberValue): string {
  switch (value.kind) {
    case 'literal':
      return value.datatype;
    case 'json':
      return 'rdf:JSON';
    case 'link':
      return value.type === undefined ? 'hydra:Resource' : `#${value.type}`;
    case 'embedded':
      return `#${value.type}`;
  }
}

/** Collections whose items are all of one class (OWL 2, "owl:allValuesFrom"). */
export const collectionsOf = (type: string) => [
  { '@id': 'hydra:Collection' },
  {
    'owl:equivalentClass': {
      'owl:onProperty': { '@id': 'hydra:member' },
      'owl:allValuesFrom': { '@id': `#${type}` },
    },
  },
];
