import type { ApiError } from '@zonewright/api-description';
import { type Format } from '@zonewright/api-description';
import type { Context } from 'koa';
import type { ResultAsync } from 'neverthrow';
import type { Answer } from '../http/answer.ts';
import { readQuery } from '../http/query.ts';
import { type Rendered, render, type ShownResource } from '../http/respond.ts';
import type { Route } from '../http/route.ts';
import { Item } from '../resources/resource.ts';

type Input = Parameters<Route['answer']>[0];

/** The original request and the format it negotiated. */
export interface OriginalRequest {
  readonly ctx: Context;
  readonly input: Input;
  readonly format: Format;
}

/**
 * How to read a resource through its own GET route, with the caller's current permissions, showing only the members of
 * the original response. Undefined when no protected route serves the resource in this format.
 */
export function rereadOf(
  routes: readonly Route[],
  { iri, members }: ShownResource,
  { ctx, input, format }: OriginalRequest,
): (() => ResultAsync<Rendered, ApiError>) | undefined {
  const reader = readerOf(routes, iri);
  if (reader === undefined || !reader.route.formats.includes(format)) return undefined;
  const { route, raw } = reader;
  return () =>
    readQuery(route.query, [])
      .andThen((query) => route.params(raw).map((params): Input => ({ ...input, query, params, body: undefined })))
      .asyncAndThen((read) => route.answer(read))
      .map((answer) => render(ctx, onlyWith(members, answer), format, []));
}

interface Reader {
  readonly route: Route;
  readonly raw: Readonly<Record<string, string>>;
}

function readerOf(routes: readonly Route[], address: string): Reader | undefined {
  for (const route of routes) {
    const isReader = route.method === 'get' && route.access === 'protected';
    const raw = isReader ? parametersIn(route.path, address) : undefined;
    if (raw !== undefined) return { route, raw };
  }
  return undefined;
}

/** Values of the path parameters; undefined when the address does not match the path. */
function parametersIn(path: string, address: string): Reader['raw'] | undefined {
  const [names, values] = [path.split('/'), address.split('/')];
  const fits = names.length === values.length && names.every((name, at) => name.startsWith(':') || name === values[at]);
  if (!fits) return undefined;
  return Object.fromEntries(
    // Both lists have the same length.
    names.flatMap((name, at) => (name.startsWith(':') ? [[name.slice(1), values[at] as string]] : [])),
  );
}

const onlyWith = (names: readonly string[], answer: Answer): Answer => {
  if (!(answer.body instanceof Item)) return answer;
  const { type, iri, version, members } = answer.body;
  const shown = Object.fromEntries(Object.entries(members).filter(([name]) => names.includes(name)));
  return { ...answer, body: new Item({ type, iri, version, members: shown }) };
};
