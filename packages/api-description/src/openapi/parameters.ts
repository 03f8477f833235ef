import type { CookieName } from '../cookie-names.ts';
import { cookieNames } from '../cookie-names.ts';
import type { Operation } from '../model.ts';
import { isTagged } from '../resource-description.ts';
import type { DescribedRoute } from '../route.ts';
import { writtenSchema } from './conversion.ts';
import type { Schema } from './json-schema.ts';

/** An operation parameter (OpenAPI 3.1 section 4.8.12). */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

type Reference = { readonly $ref: string };

/** Shared parameters by name. */
export const sharedParameters = {
  RequestId: header('X-Request-Id', 'Id of the request in responses and logs; generated if absent.', {
    pattern: '^[A-Za-z0-9._-]{1,64}$',
  }),
  IdempotencyKey: header(
    'Idempotency-Key',
    'Makes the request safe to retry: a retry with the same key gets the original response.',
    // No example: generated collections would send it with every request.
    { minLength: 1, maxLength: 255 },
  ),
  IfMatch: header('If-Match', 'The request succeeds only if the resource has this entity tag.', {}),
  IfMatchRequired: {
    ...header('If-Match', 'The entity tag of the state being replaced, or `*` for any.', { examples: ['*'] }),
    required: true,
  },
  IfNoneMatch: header('If-None-Match', 'Returns 304 if the resource still has this entity tag.', {}),
  RefreshTokenCookie: cookie('refreshToken', 'The refresh token, as an alternative to the body.'),
  ChallengeCookie: cookie('challenge', 'The challenge from the sign-in, as an alternative to the body.'),
} as const satisfies Readonly<Record<string, Parameter>>;

function header(name: string, description: string, schema: Schema): Parameter {
  return { name, in: 'header', required: false, description, schema: { type: 'string', ...schema } };
}

function cookie(name: CookieName, description: string): Parameter {
  return { name: cookieNames[name], in: 'cookie', required: false, description, schema: { type: 'string' } };
}

const shared = (name: keyof typeof sharedParameters): Reference => ({ $ref: `#/components/parameters/${name}` });

/** The parameters of an operation; credentials are described by its security requirements. */
export const parametersOf = (operation: Operation): readonly (Parameter | Reference)[] => [
  ...pathParameters(operation.route),
  ...members('query', queryMembers(operation), () => false),
  ...sharedNames(operation).map(shared),
];

/** The query parameters of an operation by name. */
export const queryMembers = ({ route }: Operation): Readonly<Record<string, Schema>> =>
  writtenSchema(route.query).properties ?? {};

function pathParameters({ path, params: { schema } }: DescribedRoute): readonly Parameter[] {
  const described = schema === undefined ? {} : (writtenSchema(schema).properties ?? {});
  const named = [...path.matchAll(/:(\w+)/g)].map(
    ([, name = '']) => [name, described[name] ?? { type: 'string' }] as const,
  );
  return members('path', Object.fromEntries(named), () => true);
}

const members = (
  place: Parameter['in'],
  schemas: Readonly<Record<string, Schema>>,
  isRequired: (name: string) => boolean,
): readonly Parameter[] =>
  Object.entries(schemas).map(([name, { description, readOnly: _, ...schema }]) => ({
    name,
    in: place,
    required: isRequired(name),
    ...(description === undefined ? {} : { description }),
    schema,
  }));

function sharedNames({ route, honoursIfMatch }: Operation): readonly (keyof typeof sharedParameters)[] {
  const { method, answers, cookies, isReplayable, needsPrecondition } = route;
  const reads = cookies.reads ?? [];
  return [
    ...(method === 'get' && isTagged(answers) ? (['IfNoneMatch'] as const) : []),
    ...(honoursIfMatch ? [needsPrecondition ? ('IfMatchRequired' as const) : ('IfMatch' as const)] : []),
    ...(isReplayable ? (['IdempotencyKey'] as const) : []),
    ...(reads.includes('refreshToken') ? (['RefreshTokenCookie'] as const) : []),
    ...(reads.includes('challenge') ? (['ChallengeCookie'] as const) : []),
    'RequestId',
  ];
}
