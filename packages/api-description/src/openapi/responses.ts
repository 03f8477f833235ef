import type { Format } from '../media-types.ts';
import { mediaTypes } from '../media-types.ts';
import type { Operation } from '../model.ts';
import { type AnswerDescription, isTagged } from '../resource-description.ts';
import { plural } from '../words.ts';
import { type HeaderName, headersNamed } from './headers.ts';
import { refTo, type Schema } from './json-schema.ts';
import { problemResponsesOf } from './problem-responses.ts';
import { collectionName, itemName } from './resource-schemas.ts';

/** The successful and error responses of an operation, by status (OpenAPI 3.1 section 4.8.16). */
export function responsesOf(operation: Operation): Readonly<Record<string, unknown>> {
  const { method, answers } = operation.route;
  return {
    [answers.status]: successOf(operation, answers),
    ...(answers.kind === 'item' && answers.mayBeFound
      ? { 200: successOf(operation, { ...answers, status: 200 }) }
      : {}),
    ...(method === 'get' && isTagged(answers) ? { 304: notModified(answers) } : {}),
    ...problemResponsesOf(operation),
  };
}

const notModified = (answers: AnswerDescription) => ({
  description: 'The client already has the current representation.',
  headers: headersNamed(...everyResponse, 'ETag', ...(isPlainList(answers) ? counted : []), ...limited),
});

function successOf(operation: Operation, answers: AnswerDescription) {
  const { formats } = operation.route;
  const described = { description: describe(answers), headers: headersNamed(...headersOf(operation, answers)) };
  if (answers.kind === 'nothing' || answers.kind === 'redirect') return described;
  return {
    ...described,
    content: Object.fromEntries(formats.map((format) => [format, { schema: schemaOf(answers, format) }])),
  };
}

function describe(answers: AnswerDescription): string {
  switch (answers.kind) {
    case 'item':
      return answers.status === 201 ? `The created ${answers.resource.title}.` : `The ${answers.resource.title}.`;
    case 'list':
      return `A page of ${plural(answers.resource.title)}.`;
    case 'object':
      return answers.schema.meta()?.description ?? 'The result.';
    case 'nothing':
      return 'Done.';
    case 'redirect':
      return answers.to;
  }
}

function schemaOf(answers: Exclude<AnswerDescription, { kind: 'nothing' | 'redirect' }>, format: Format): Schema {
  switch (answers.kind) {
    case 'item':
      return refTo(itemName(answers.resource, format));
    case 'object':
      return refTo(answers.title);
    case 'list':
      return format === mediaTypes.linked || answers.plainForm === 'object'
        ? refTo(collectionName(answers.resource, format))
        : { type: 'array', items: refTo(itemName(answers.resource, format)) };
  }
}

const everyResponse = ['X-Request-Id', 'Link'] as const;
const limited = ['RateLimit', 'RateLimit-Policy'] as const;
const counted = ['X-Total-Count'] as const;

const isPlainList = (answers: AnswerDescription): boolean => answers.kind === 'list' && answers.plainForm === undefined;

function headersOf({ route }: Operation, answers: AnswerDescription): readonly HeaderName[] {
  const { access, isLimited, isReplayable, responseHeaders, cookies } = route;
  return [
    ...everyResponse,
    ...(isTagged(answers) ? (['ETag'] as const) : []),
    ...((answers.kind === 'item' && answers.status === 201) || answers.kind === 'redirect'
      ? (['Location'] as const)
      : []),
    ...(isPlainList(answers) ? counted : []),
    ...responseHeaders,
    ...(isReplayable ? (['Idempotency-Replayed'] as const) : []),
    ...(access !== 'public' || isLimited ? limited : []),
    ...(cookies.sets === undefined ? [] : (['Set-Cookie'] as const)),
  ];
}
