import type { Operation } from '../model.ts';
import { capitalized, plural } from '../words.ts';

/** A group of operations in the documentation (OpenAPI 3.1 section 4.8.22). */
export interface Tag {
  readonly name: string;
  readonly description: string;
}

/** Tags of operations without a resource, by path prefix. */
const tagsByPrefix: readonly (readonly [prefix: string, tag: Tag])[] = [
  [
    '/api/auth/',
    {
      name: 'Authentication',
      description: 'Registration, sign-in, tokens, and verification and password reset by e-mail.',
    },
  ],
  [
    '/edge/v1/',
    {
      name: 'Edges',
      description:
        'What the service tells edges about zones, and what they report back. Only the key of an edge gives access.',
    },
  ],
  ['/api/2fa/', { name: 'Two-factor authentication', description: 'Two-factor authentication of the signed-in user.' }],
];

/** The tag of an operation, derived from its resource if it has one. */
export function tagOf({ route: { path, answers }, subject }: Operation): Tag {
  const resource = subject ?? ('resource' in answers ? answers.resource : undefined);
  if (resource !== undefined) {
    return { name: capitalized(plural(resource.title)), description: resource.description };
  }
  const [, tag] = tagsByPrefix.find(([prefix]) => path.startsWith(prefix)) ?? [];
  return tag ?? { name: 'Other', description: 'Everything else.' };
}

/** All tags, in order of first use. */
export const tagsOf = (operations: readonly Operation[]): readonly Tag[] => [
  ...new Map(operations.map((operation) => [tagOf(operation).name, tagOf(operation)])).values(),
];
