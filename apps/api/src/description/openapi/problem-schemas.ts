import { refTo, type Schema } from './json-schema.ts';

const text = (description: string): Schema => ({ type: 'string', description });

/** The keys that a problem has for clients that ask for linked data. */
const linkedKeys: Readonly<Record<string, Schema>> = {
  '@context': { ...text('What the members mean.'), format: 'iri-reference' },
  '@id': { ...text('The same as `type`.'), format: 'iri-reference' },
  '@type': text('`Error`, or `ConstraintViolation` where there are violations.'),
  description: text('The same as `detail`.'),
};

const problemMembers: Readonly<Record<string, Schema>> = {
  type: { ...text('Kind of the problem, and the address of a page about it.'), format: 'uri-reference' },
  title: text('What kind of problem it is, in a few words.'),
  status: { type: 'integer', minimum: 400, maximum: 599, description: 'Status code of the answer.' },
  detail: text('What happened this time.'),
  requestId: text('Name it when you report a failure of the service; from status 500 on.'),
  usedBy: {
    type: 'array',
    items: { type: 'string', format: 'iri-reference' },
    description: 'Addresses of what needs the thing that cannot be deleted: zones, rules or load balancers.',
  },
  fits: {
    type: 'integer',
    minimum: 1,
    description: 'Number of items that fit, from the first one of a page that is too large.',
  },
  ...linkedKeys,
};

const required = ['type', 'title', 'status', 'detail'];

/** What every refusal is told in (RFC 9457). */
export const problemSchemas: Readonly<Record<string, Schema>> = {
  Problem: {
    type: 'object',
    description: 'Why a request was refused (RFC 9457).',
    properties: problemMembers,
    required,
  },
  ValidationProblem: {
    type: 'object',
    description: 'Which values of a request were refused.',
    properties: {
      ...problemMembers,
      violations: { type: 'array', items: refTo('Violation'), minItems: 1, description: 'Each wrong value.' },
    },
    required: [...required, 'violations'],
  },
  Violation: {
    type: 'object',
    description: 'What is wrong with a value.',
    properties: {
      propertyPath: text('The member or parameter at fault; empty for the body as a whole.'),
      message: text('What is wrong, for people.'),
      code: text('What is wrong, for programs.'),
    },
    required: ['propertyPath', 'message', 'code'],
  },
};
