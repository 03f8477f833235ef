import type { Schema } from '@zonewright/api-description';
import { openApiDocument, operationsOf } from '@zonewright/api-description';
import { routeTable } from '../../src/routes/index.ts';

/** The served document; it does not depend on the use cases. */
export const openApi = JSON.parse(
  JSON.stringify(openApiDocument(operationsOf(routeTable()), { publicBaseUrl: 'https://api.example.com' })),
) as OpenApi;

/** The part of the document that tests read. */
export interface OpenApi {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, { readonly required: boolean; readonly schema: Schema }>>;
    readonly responses: Readonly<Record<string, Answer>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly required: boolean; readonly content: Contents };
  readonly responses: Readonly<Record<string, Answer | Reference>>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

export interface Reference {
  readonly $ref: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Schema;
}

/** A documented response. */
export interface Answer {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content?: Contents;
}

type Contents = Readonly<
  Record<
    string,
    {
      readonly schema: Schema;
      readonly example?: unknown;
      readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
    }
  >
>;

/** Resolves a reference; anything else is returned unchanged. */
export function resolved<T extends object>(value: T | Reference): T {
  if (!('$ref' in value)) return value;
  const target = value.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (at as Readonly<Record<string, unknown>>)[key], openApi);
  return target as T;
}

/** The path that a request has: edges have a server of their own. */
export const fullPath = (path: string): string => (path.startsWith('/edge/') ? path : `/api${path}`);

/** Every operation of the document, named like `GET /api/zones/{id}`. */
export const operations: readonly { readonly name: string; readonly operation: Operation }[] = Object.entries(
  openApi.paths,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${fullPath(path)}`,
    operation,
  })),
);

/** The successful response of an operation. */
export function successOf({ responses }: Operation): Answer {
  const [success] = Object.entries(responses).flatMap(([status, answer]) =>
    status < '300' || status === '303' ? [resolved(answer)] : [],
  );
  if (success === undefined) throw new Error('Every operation can succeed.');
  return success;
}
