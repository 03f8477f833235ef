import { confirmationMethods, tokenPermissions } from '@zonewright/core';
import { refTo, type Schema } from './json-schema.ts';

const text = (description: string): Schema => ({ type: 'string', description });

/** JSON-LD keys of a problem for clients that ask for them. */
const linkedKeys: Readonly<Record<string, Schema>> = {
  '@context': { ...text('What the members mean.'), format: 'iri-reference' },
  '@id': { ...text('The same as `type`.'), format: 'iri-reference' },
  '@type': text('`Error`, or `ConstraintViolation` where there are violations.'),
  description: text('The same as `detail`.'),
};

const problemMembers: Readonly<Record<string, Schema>> = {
  type: { ...text('Kind of the problem, and the address of a page about it.'), format: 'uri-reference' },
  title: text('A short summary of the kind of problem.'),
  status: { type: 'integer', minimum: 400, maximum: 599, description: 'Status code of the response.' },
  detail: text('What went wrong in this case.'),
  requestId: text('Quote it when you report a failure of the service; present from status 500 on.'),
  usedBy: {
    type: 'array',
    items: { type: 'string', format: 'iri-reference' },
    description: 'IRIs of the zones, rules or load balancers that still use the resource.',
  },
  methods: {
    type: 'array',
    items: { type: 'string', enum: [...confirmationMethods] },
    description: 'If the session must be confirmed: how that is possible.',
  },
  provider: {
    type: 'string',
    pattern: '^[a-z0-9-]{1,32}$',
    description: 'If the organization requires a provider: its id.',
  },
  permission: {
    type: 'string',
    enum: [...tokenPermissions],
    description: 'If the API token lacks a permission: which one.',
  },
  fits: {
    type: 'integer',
    minimum: 1,
    description: 'If the page is too large: the number of items that fit, counted from its first one.',
  },
  conflicts: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        path: text('Path in the zone document.'),
        base: { description: 'The value that both sides started from; absent if there was none.' },
        theirs: { description: 'The value in the zone; absent if there is none.' },
        yours: { description: 'The value in the change set; absent if there is none.' },
      },
      required: ['path'],
    },
    description: 'If a change set does not merge with the zone: the places that both have changed.',
  },
  ...linkedKeys,
};

const required = ['type', 'title', 'status', 'detail'];

/** Problem documents (RFC 9457). */
export const problemSchemas: Readonly<Record<string, Schema>> = {
  Problem: {
    type: 'object',
    description: 'Why a request was refused (RFC 9457).',
    properties: problemMembers,
    required,
  },
  ValidationProblem: {
    type: 'object',
    description: 'Which values of a request are invalid.',
    properties: {
      ...problemMembers,
      violations: {
        type: 'array',
        items: refTo('Violation'),
        minItems: 1,
        description: 'One entry for each invalid value.',
      },
    },
    required: [...required, 'violations'],
  },
  Violation: {
    type: 'object',
    description: 'A reason why a value is invalid.',
    properties: {
      propertyPath: text('The member or parameter at fault; empty for the body as a whole.'),
      message: text('A human-readable explanation.'),
      code: text('A machine-readable code.'),
    },
    required: ['propertyPath', 'message', 'code'],
  },
};
