import type { Attack } from './attack.ts';
import { askAgainAndAgain } from './clients.ts';
import { proxiedZone } from './zones.ts';

const rules = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Texts that some search algorithms compare in quadratic time. */
const needle = `ab${'a'.repeat(998)}`;
const haystack = 'a'.repeat(31_000);

const access = (leaf: (index: number) => Readonly<Record<string, unknown>>) =>
  rules(100, (index) => ({
    action: 'block',
    conditions: { logic: 'and', conditions: rules(14, (leafIndex) => leaf(index * 14 + leafIndex)) },
  }));

/** A number at the end makes conditions differ. */
const numbered = (text: string, index: number): string => `${text.slice(0, text.length - 5)}${10_000 + index}`;

const withHeader = (operator: string, value: (index: number) => string): Attack['zones'] => {
  const leaf = (index: number) => ({ field: 'header', target: 'X-A', operator, value: value(index) });
  return ({ origin }) => [proxiedZone(origin, { access: access(leaf) })];
};

const sendHaystack: Attack['run'] = (scene, signal) =>
  askAgainAndAgain(scene, signal, 16, () => ({ path: '/', headers: { 'X-A': haystack } }));

/** Attacks on the time that evaluating requests takes. */
export const evaluationAttacks: readonly Attack[] = [
  {
    name: '1,400 searches of a text that is nearly everywhere',
    zones: withHeader('not_contains', (index) => numbered(needle, index)),
    run: sendHaystack,
  },
  {
    name: '1,400 comparisons of long beginnings',
    zones: withHeader('not_starts_with', (index) => numbered('a'.repeat(1000), index)),
    run: sendHaystack,
  },
  {
    name: '1,400 patterns with a long literal',
    zones: withHeader('not_matches', (index) => `[ab]${needle.slice(0, 490)}${index}`),
    run: sendHaystack,
  },
  {
    name: '1,400 patterns that look at every byte',
    zones: withHeader('not_matches_ci', (index) => `(a|aa|a.a){1,20}[^a]{1,9}x${index}$`),
    run: sendHaystack,
  },
  {
    name: 'the largest zone of patterns, changed every second',
    zones: withHeader('not_matches', (index) => `${'a?b?c?'.repeat(165)}[xy]${index}`),
    changes: 1000,
    run: sendHaystack,
  },
  {
    name: 'rewrites by patterns of a long path',
    zones: ({ origin }) => [
      proxiedZone(origin, {
        rewrites: rules(200, (index) => ({
          operator: 'regex',
          sourcePattern: `^/((a|aa)*)((a|ab)*)x${index}$`,
          target: '/$1$3',
          type: 'rewrite',
        })),
      }),
    ],
    run: (scene, signal) => askAgainAndAgain(scene, signal, 16, () => ({ path: `/${'a'.repeat(8000)}` })),
  },
  {
    name: 'a new address for each request, with 1,400 conditions on its query',
    zones: ({ origin }) => [
      proxiedZone(origin, {
        access: access((index) => ({
          field: 'queryParam',
          target: `p${index}`,
          operator: 'contains',
          value: 'x'.repeat(500),
        })),
      }),
    ],
    run: (scene, signal) =>
      askAgainAndAgain(scene, signal, 16, (number) => ({ path: `/?${'a=1&'.repeat(1900)}${number}` })),
  },
  {
    name: 'guesses of a password',
    zones: ({ origin }) => [
      proxiedZone(origin, {
        settings: { basicAuth: { enabled: true, allowedUserIds: [] } },
        users: { user: { username: 'a', hash: `$2b$14$${'a'.repeat(53)}` } },
      }),
    ],
    run: (scene, signal) =>
      askAgainAndAgain(scene, signal, 24, (number) => ({
        path: '/',
        headers: { Authorization: `Basic ${Buffer.from(`a:${number}`).toString('base64')}` },
      })),
  },
];
