import type { BodyDescription } from '../http/description.ts';
import { mediaTypes } from '../http/negotiation.ts';
import { readSchema, type SchemaNames, writtenSchema } from './conversion.ts';
import { mapMembers, refTo, type Schema } from './json-schema.ts';
import { mergePatchOf } from './merge-patch.ts';
import type { Operation } from './operations.ts';
import { capitalized } from './words.ts';

/** The name of the schema of what an operation takes. */
export const bodyName = ({ id }: Pick<Operation, 'id'>): string => capitalized(id);

/** How the patch of a named schema is called. */
export const patchName = (name: string): string => name.replace(/Input$/, 'Patch');

/** What an operation takes. Members that only reads have may be sent back; they mean nothing. */
export function bodySchema(operation: Operation, accepts: BodyDescription, names: SchemaNames): Schema {
  const written = writtenSchema(accepts.schema, names);
  switch (accepts.kind) {
    case 'whole':
      return operation.role === 'create' ? asSentBack(operation, written) : written;
    case 'mergePatch':
      return asSentBack(operation, mergePatchOf(written, patchName));
    case 'list':
      return listBody(asSentBack(operation, written));
  }
}

/** The body as a form of the resource that the operation answers: its members mean what they mean there. */
function asSentBack({ route: { answers } }: Operation, body: Schema): Schema {
  return 'resource' in answers ? within(readSchema(answers.resource.schema).properties ?? {}, body) : body;
}

function within(read: Readonly<Record<string, Schema>>, body: Schema): Schema {
  if (body.anyOf !== undefined) return { ...body, anyOf: body.anyOf.map((each) => within(read, each)) };
  const { properties = {} } = body;
  const readOnly = Object.entries(read).filter(([name, member]) => member.readOnly === true && !(name in properties));
  return {
    ...body,
    properties: {
      ...mapMembers(properties, (member, name) => ({ ...toldOf(read[name]), ...member })),
      ...Object.fromEntries(readOnly),
    },
    patternProperties: { '^@': { description: 'Keys of linked data mean nothing in a body.' } },
  };
}

/** What is told of a member where it is read holds where it is written, unless something else is told there. */
const toldOf = ({ description, examples }: Schema = {}): Schema => ({
  ...(description === undefined ? {} : { description }),
  ...(examples === undefined ? {} : { examples }),
});

/** The whole list, as an array or as the collection that reads answer; entries say which item they keep. */
function listBody(entry: Schema): Schema {
  const named: Schema = {
    ...entry,
    properties: {
      ...entry.properties,
      id: { type: 'string', format: 'uuid', description: 'Id of the item that the entry keeps; absent for a new one.' },
      '@id': { type: 'string', format: 'iri-reference', description: 'The same as an address.' },
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
