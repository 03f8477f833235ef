import { usageLimits } from '@zonewright/core';
import { documentOf, originServer, type ZoneDraft } from '../../engine/test/zones.ts';

type Members = Readonly<Record<string, unknown>>;
type Draft = (variant: number) => ZoneDraft;

const backends = {
  originServers: [{ ...originServer, protocol: 'https' as const, requestHostname: null }],
  loadBalancers: [],
};
const ceilings = {
  rules: usageLimits.configurationRules.ceiling,
  rewrites: usageLimits.rewriteRules.ceiling,
  conditions: usageLimits.conditions.ceiling,
  addresses: usageLimits.addresses.ceiling,
  values: usageLimits.values.ceiling,
};

/** Numbers that look random, always the same ones. */
function numbers(seed = 1): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 0x8000_0000;
    return Math.floor((state / 0x8000_0000) * below);
  };
}

const times = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const leaf = (field: string, operator: string, value: string, target?: string): Members => ({
  field,
  operator,
  value,
  ...(target === undefined ? {} : { target }),
});
const all = (...conditions: readonly Members[]): Members => ({ logic: 'and', conditions });
const any = (...conditions: readonly Members[]): Members => ({ logic: 'or', conditions });

const ipv4List = (count: number, next: (below: number) => number): string =>
  times(count, () => [1 + next(220), next(256), next(256), next(256)].join('.')).join('\n');
const ipv6List = (count: number, next: (below: number) => number): string =>
  times(
    count,
    () => `2001:${times(3, () => next(0x10000).toString(16)).join(':')}::${next(0x10000).toString(16)}`,
  ).join('\n');
const letters = (count: number, alphabet: string, next: (below: number) => number): string =>
  times(count, () => alphabet[next(alphabet.length)]).join('');

/** A configuration rule; every second one stops. */
const rule = (conditions: Members, index: number): Members => ({
  conditions,
  settingsOverrides: { cachingDefaultTtl: index, minifyHtml: index % 2 === 0 },
  stopOnMatch: index % 2 === 0,
});

/**
 * Zones within the highest limits that operators can set, made to be expensive. Each has two variants, which differ in a
 * few rules or in all.
 */
export const worstCases: Readonly<Record<string, Draft>> = {
  'many lists of addresses'(variant) {
    const next = numbers();
    return { rules: times(200, (at) => rule(all(leaf('ip', 'in', ipv4List(480, next))), at + variant)) };
  },
  'the longest lists of addresses'(variant) {
    const next = numbers();
    return { rules: times(200, (at) => rule(all(leaf('ip', 'in', ipv4List(ceilings.addresses, next))), at + variant)) };
  },
  'the longest lists of IPv6 addresses'(variant) {
    const next = numbers();
    const list = () => leaf('ip', 'in', ipv6List(ceilings.addresses, next));
    return { rules: times(80, (at) => rule(any(list(), leaf('uri', 'starts_with', `/${at}`)), at + variant)) };
  },
  'the most conditions on one text': (variant) => ({
    rules: times(ceilings.rules, (at) =>
      rule(any(...times(ceilings.conditions, (of) => leaf('uri', 'starts_with', `/${at}/${of}-${variant}`))), at),
    ),
  }),
  'the most conditions on several texts': (variant) => ({
    rules: times(ceilings.rules, (at) =>
      rule(
        any(
          ...times(ceilings.conditions, (of) =>
            of % 2 === 0
              ? leaf('uri', 'contains', `${at}-${of}-${variant}`)
              : leaf('header', 'contains', `${at}`, `x-${of}`),
          ),
        ),
        at,
      ),
    ),
  }),
  'the longest texts'(variant) {
    const next = numbers();
    const list = () => times(9, () => `/${letters(1900, 'abc', next)}${variant}`).join('\n');
    return { rules: times(200, (at) => rule(all(leaf('uri', 'in', list())), at)) };
  },
  'patterns with many states'(variant) {
    const next = numbers();
    const pattern = (length: number) => `(?:a|b)*a(?:a|b){${length}}${letters(3, 'ab', next)}${variant}`;
    return {
      rules: times(ceilings.rules, (at) =>
        rule(any(...times(10, (of) => leaf('uri', 'matches', pattern(5 + ((at + of) % 9))))), at),
      ),
    };
  },
  'the most rewrite rules': (variant) => ({
    rewrites: times(ceilings.rewrites, (at) => ({
      operator: 'starts_with',
      sourcePattern: `/${at}/`,
      target: `https://www.h${at}.example.com/${(at + 1 + variant) % ceilings.rewrites}/`,
      type: 'redirect',
      statusCode: 301,
    })),
    rules: times(ceilings.rules, (at) => rule(all(leaf('uri', 'starts_with', `/${at}/`)), at)),
  }),
  'rules that none reaches'(variant) {
    const next = numbers();
    const lists = () => all(leaf('uri', 'starts_with', `/a${variant}`), leaf('ip', 'in', ipv4List(1000, next)));
    return {
      rules: times(ceilings.rules, (at) => rule(at === 0 ? all(leaf('uri', 'starts_with', '/')) : lists(), at)),
    };
  },
  'many access rules that stop': (variant) => ({
    access: times(ceilings.rules, (at) => ({
      conditions: all(leaf('uri', 'contains', `a${at}`), leaf('header', 'contains', `b${at}`, 'x-a')),
      action: ['skip', 'block', 'allow', 'challenge'][at % 4],
      skipTargets: ['waf'],
      stopOnMatch: at % 7 === variant,
    })),
    rules: times(300, (at) => rule(any(leaf('uri', 'contains', `c${at}`), leaf('cookie', 'exists', '', `k${at}`)), at)),
  }),
  'lists of numbers': (variant) => ({
    rules: times(ceilings.rules, (at) => {
      const list = times(ceilings.values, (of) => String(1 + of + at * ceilings.values + variant)).join('\n');
      return rule(any(leaf('asn', 'in', list), leaf('country', 'equals', 'DE')), at);
    }),
  }),
};

/** The document of a variant, 0 or 1, as a question has it. */
export const questionAbout = (draft: Draft, variant: number) => ({ document: documentOf(draft(variant)), backends });
