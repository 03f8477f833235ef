import { mediaTypes } from '../media-types.ts';
import type { Operation } from '../model.ts';
import type { BodyDescription } from '../resource-description.ts';
import { capitalized } from '../words.ts';
import { mapMembers, refTo, type Schema } from './json-schema.ts';
import { mergePatchOf } from './merge-patch.ts';

/** The component name of an operation's body. */
export const bodyName = ({ id }: Pick<Operation, 'id'>): string => capitalized(id);

/** The component name of a schema's merge patch. */
export const patchName = (name: string): string => name.replace(/Input$/, 'Patch');

/** The inputs to an operation's body schema. */
interface Body {
  readonly kind: BodyDescription['kind'];
  readonly role: Operation['role'];
  /** The request schema. */
  readonly written: Schema;
  /** The members of the resource in the response. */
  readonly read: Readonly<Record<string, Schema>>;
}

/**
 * The body of an operation. Read-only members are accepted and ignored, so that clients can send back what they read.
 */
export function bodySchema({ kind, role, written, read }: Body): Schema {
  switch (kind) {
    case 'whole':
      return role === 'create' ? asSentBack(read, written) : written;
    case 'mergePatch':
      return asSentBack(read, mergePatchOf(written, patchName));
    case 'list':
      return listBody(asSentBack(read, written));
  }
}

/** Adds read-only members and member descriptions from the resource in the response. */
function asSentBack(read: Body['read'], body: Schema): Schema {
  if (body.anyOf !== undefined) return { ...body, anyOf: body.anyOf.map((each) => asSentBack(read, each)) };
  const { properties = {} } = body;
  const readOnly = Object.entries(read).filter(([name, member]) => member.readOnly === true && !(name in properties));
  return {
    ...body,
    properties: {
      ...mapMembers(properties, (member, name) => ({ ...annotationsOf(read[name]), ...member })),
      ...Object.fromEntries(readOnly),
    },
    patternProperties: { '^@': { description: 'Linked-data keywords in a request body are ignored.' } },
  };
}

/** Description and examples of a member; those on the request side take precedence. */
const annotationsOf = ({ description, examples }: Schema = {}): Schema => ({
  ...(description === undefined ? {} : { description }),
  ...(examples === undefined ? {} : { examples }),
});

/** A complete list, as an array or as a collection; entries name the item they replace. */
function listBody(entry: Schema): Schema {
  const named: Schema = {
    ...entry,
    properties: {
      ...entry.properties,
      id: { type: 'string', format: 'uuid', description: 'Id of an existing item; absent for a new one.' },
      '@id': {
        type: 'string',
        format: 'iri-reference',
        description: 'IRI of an existing item, as an alternative to `id`.',
      },
    },
  };
  const entries: Schema = { type: 'array', items: named };
  return {
    anyOf: [
      entries,
      { type: 'object', description: 'A collection.', properties: { member: entries }, required: ['member'] },
    ],
  };
}

/** The request body of an operation (OpenAPI 3.1 section 4.8.13). */
export function requestBody(operation: Operation, example: unknown) {
  const { accepts, consumes, readsBody } = operation.route;
  if (accepts === undefined) return undefined;
  const content = { schema: refTo(bodyName(operation)), ...(example === undefined ? {} : { example }) };
  return {
    required: readsBody === 'required',
    ...(consumes.includes(mediaTypes.mergePatch) ? { description: 'A merge patch (RFC 7396).' } : {}),
    content: Object.fromEntries(consumes.map((type) => [type, content])),
  };
}
