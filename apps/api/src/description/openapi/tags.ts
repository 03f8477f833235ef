import type { Operation } from '../model.ts';
import { capitalized, plural } from '../words.ts';

/** A group of operations for people (OpenAPI 3.1 section 4.8.22). */
export interface Tag {
  readonly name: string;
  readonly description: string;
}

/** Groups of what belongs to no resource, by the beginning of their paths. */
const otherTags: readonly (readonly [prefix: string, tag: Tag])[] = [
  [
    '/api/auth/',
    {
      name: 'Authentication',
      description: 'Registration, sign-in, tokens, and verification and password reset by e-mail.',
    },
  ],
  ['/api/2fa/', { name: 'Two-factor authentication', description: 'Two-factor authentication of the signed-in user.' }],
];

/** The group of an operation: that of its resource, where it has one. */
export function tagOf({ route: { path, answers }, subject }: Operation): Tag {
  const resource = subject ?? ('resource' in answers ? answers.resource : undefined);
  if (resource !== undefined) {
    return { name: capitalized(plural(resource.title)), description: resource.description };
  }
  const [, tag] = otherTags.find(([prefix]) => path.startsWith(prefix)) ?? [];
  return tag ?? { name: 'Other', description: 'Everything else.' };
}

/** Every group, in the order in which operations name them. */
export const tagsOf = (operations: readonly Operation[]): readonly Tag[] => [
  ...new Map(operations.map((operation) => [tagOf(operation).name, tagOf(operation)])).values(),
];
