import type { ZoneDraft } from '../zones.ts';

type Members = Readonly<Record<string, unknown>>;

/** A zone within the default limits, and a request that makes it expensive. */
export interface ExpensiveZone {
  readonly draft: ZoneDraft;
  readonly facts: Members;
}

/** Default limits of a zone. */
const limits = { rules: 100, rewrites: 50, scenarios: 20, conditions: 25, characters: 1_900_000 } as const;
/** The longest header value, and the longest target. */
const [longestValue, longestTarget] = [31_000, 8100];

const times = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const leaf = (field: string, operator: string, value?: string, target?: string): Members => ({
  field,
  operator,
  ...(value === undefined ? {} : { value }),
  ...(target === undefined ? {} : { target }),
});

const any = (conditions: readonly Members[]): Members => ({ logic: 'or', conditions });

/** As many rules of all kinds as fit, with as many of these conditions each as fit; `make` gets the number of each. */
function rulesOf(make: (index: number) => Members): ZoneDraft {
  const size = JSON.stringify(make(0)).length + 1;
  const each = Math.max(1, Math.min(limits.conditions, Math.floor(16_000 / size)));
  const rules = Math.floor(limits.characters / (each * size + 100));
  const conditionsOf = (rule: number) => any(times(each, (index) => make(rule * each + index)));
  const some = Math.min(limits.rules, Math.ceil(rules / 2));
  const scenarios = Math.max(0, Math.min(limits.scenarios, rules - 2 * some));
  return {
    access: times(some, (at) => ({ action: 'skip', skipTargets: ['waf'], conditions: conditionsOf(at) })),
    rules: times(some, (at) => ({ conditions: conditionsOf(some + at), settingsOverrides: { cachingDefaultTtl: at } })),
    scenarios: times(scenarios, (at) => ({
      filter: conditionsOf(2 * some + at),
      type: 'leaky',
      capacity: 5,
      leakspeed: '10s',
      action: 'block',
      duration: '1m',
    })),
  };
}

const url = 'https://a.example/';
const headerOf = (value: string, name = 'x-a'): Members => ({ url, headers: [{ name, value }] });

/** Conditions on a long header. */
const onHeader = (
  operator: string,
  value: (index: number) => string,
  text = 'a'.repeat(longestValue),
): ExpensiveZone => ({
  draft: rulesOf((index) => leaf('header', operator, value(index), 'x-a')),
  facts: headerOf(text),
});

/** Numbers that look random, always the same ones. */
function randomly(seed = 1): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 0x8000_0000;
    return Math.floor((state / 0x8000_0000) * below);
  };
}

const lettersOf = (count: number, alphabet: string): string => {
  const next = randomly();
  return times(count, () => alphabet[next(alphabet.length)]).join('');
};

const rewritesOf = (make: (index: number) => Members): ZoneDraft => ({ rewrites: times(limits.rewrites, make) });
const pathOf = (length = longestTarget): string => `/${'a'.repeat(length)}`;
const addressList = (index: number): string =>
  times(500, (at) => `${1 + ((at * 7 + index) % 220)}.${at % 256}.${(at * 31) % 256}.${index % 256}`).join('\n');
const longAddressList = (index: number): string =>
  times(350, (at) => `2001:${(at * 97 + index).toString(16)}:${at.toString(16)}:8:9::${index.toString(16)}/120`).join(
    '\n',
  );

/** The worst cases of operators. */
const operators: Readonly<Record<string, () => ExpensiveZone>> = {
  'contains a long text': () => onHeader('contains', () => `ab${'a'.repeat(998)}`),
  'contains a long text that ends differently': () => onHeader('contains', () => `${'a'.repeat(999)}b`),
  'contains a text of 240 bytes': () => onHeader('contains', () => `ac${'ab'.repeat(119)}`),
  'contains a short text': () => onHeader('contains', () => 'aaaaab'),
  'contains a text of 2 bytes': () => onHeader('contains', () => 'ab'),
  'starts with a long text': () => onHeader('starts_with', () => `${'a'.repeat(999)}b`),
  'ends with a long text': () => onHeader('ends_with', () => `b${'a'.repeat(999)}`),
  'equals a long text': () => onHeader('equals', () => `${'a'.repeat(999)}b`, 'a'.repeat(1000)),
  exists: () => onHeader('exists', () => ''),
  'is in a list': () => onHeader('in', (index) => times(250, (at) => `${index}-${at}-${'a'.repeat(40)}`).join('\n')),
  'an address is in a list': () => ({
    draft: rulesOf((index) => leaf('ip', 'in', addressList(index))),
    facts: { url },
  }),
  'an address is in a list of IPv6 ranges': () => ({
    draft: rulesOf((index) => leaf('ip', 'in', longAddressList(index))),
    facts: { url, ip: '2001:db8::1' },
  }),
};

const optionalLetters = times(500, (at) => `${'abcdefghij'[at % 10]}?`).join('');
const words = (alphabet: string, count: number): string =>
  times(
    count,
    (at) => `${alphabet[at % alphabet.length]}${alphabet[(at * 3) % alphabet.length]}${'x'.repeat(at % 4)}`,
  ).join('|');

/** The worst cases of patterns. */
const patterns: Readonly<Record<string, () => ExpensiveZone>> = {
  'a pattern needs a long text': () => onHeader('matches', () => `(?:x|y)ab${'a'.repeat(990)}`),
  'a pattern has many sets of states': () =>
    onHeader('matches', (index) => `(?:a|b)*a(?:a|b){${10 + (index % 9)}}c`, lettersOf(longestValue, 'ab')),
  'a pattern counts to thousands': () =>
    onHeader('matches', (index) => `(?:a|b)*a(?:a|b){${900 - (index % 99)}}c`, lettersOf(longestValue, 'ab')),
  'a pattern counts pieces of varying length': () =>
    onHeader('matches', (index) => `(?:ab?c?){${700 - (index % 50)}}d`, lettersOf(longestValue, 'abc')),
  'a pattern has hundreds of optional pieces': () =>
    onHeader('matches', (index) => `${optionalLetters}z${index}`, `${lettersOf(longestValue - 1, 'abcdefghij')}z`),
  'a pattern has many alternatives': () =>
    onHeader(
      'matches_ci',
      (index) => `(?:${words('abcdefghij', 200)})*${index}`,
      `${lettersOf(longestValue, 'abcdefghijx')}0123456789`,
    ),
  'a pattern looks at words': () =>
    onHeader(
      'matches',
      (index) => `(?:\\ba+\\b|b+ |\\B.){${100 + (index % 50)}}#`,
      `#${lettersOf(longestValue - 1, 'ab ')}`,
    ),
  'patterns are compiled': () => onHeader('matches', (index) => `[a-f]{1000}[g-z]{${900 - (index % 100)}}`, 'a'),
  'a pattern has many classes': () =>
    onHeader(
      'matches',
      (index) => `[${lettersOf(20, 'bcdefghijk')}].{${200 + (index % 100)}}[l-z].{300}#`,
      `#${lettersOf(longestValue - 1, 'abcdefghijklmnop')}`,
    ),
};

/** The worst cases of fields. */
const fields: Readonly<Record<string, () => ExpensiveZone>> = {
  'cookies with many names': () => ({
    draft: rulesOf((index) => leaf('cookie', 'equals', 'a', `c${index}`)),
    facts: headerOf(times(4000, (at) => `c${at}=`).join(';'), 'cookie'),
  }),
  'cookies with one name': () => ({
    draft: rulesOf(() => leaf('cookie', 'contains', 'ab', 'c')),
    facts: headerOf('c=;'.repeat(10_000), 'cookie'),
  }),
  'cookies that cannot match': () => ({
    draft: rulesOf(() => leaf('cookie', 'contains', 'a;b', 'c')),
    facts: headerOf('c=;'.repeat(10_000), 'cookie'),
  }),
  'parameters with many names': () => ({
    draft: rulesOf((index) => leaf('queryParam', 'equals', 'a', `p${index}`)),
    facts: { url: `${url}?${times(1200, (at) => `p${at}`).join('&')}` },
  }),
  'parameters with one name': () => ({
    draft: rulesOf(() => leaf('queryParam', 'not_in', 'a\nb', 'p')),
    facts: { url: `${url}?${'p&'.repeat(4000)}` },
  }),
  'headers with many names': () => ({
    draft: rulesOf((index) => leaf('header', 'equals', 'a', `x-${index % 3000}`)),
    facts: { url, headers: times(99, (at) => ({ name: `x-${at}`, value: 'b'.repeat(300) })) },
  }),
  'the whole address': () => ({
    draft: rulesOf(() => leaf('url', 'contains', 'aaaaab')),
    facts: { url: `https://a.example${pathOf()}` },
  }),
  'a content type that is none': () => ({
    draft: rulesOf(() => leaf('contentType', 'contains', 'aaaaab')),
    facts: headerOf('a/'.repeat(15_000), 'content-type'),
  }),
  'an extension': () => ({
    draft: rulesOf(() => leaf('extension', 'in', 'png\njpg')),
    facts: { url: `https://a.example${pathOf()}.png` },
  }),
};

const nineGroups = times(9, () => '(a*)').join('');

/** The worst cases of rewrites. */
const rewrites: Readonly<Record<string, () => ExpensiveZone>> = {
  'sources are long': () => ({
    draft: rewritesOf(() => ({ operator: 'starts_with', sourcePattern: `/${'a'.repeat(999)}b`, target: '/' })),
    facts: { url: `https://a.example${pathOf()}` },
  }),
  'groups are found': () => ({
    draft: rewritesOf(() => ({ operator: 'regex', sourcePattern: `^/${nineGroups}$`, target: '/$1$2$3$4$5$6$7$8$9' })),
    facts: { url: `https://a.example${pathOf()}` },
  }),
  'groups are found in many states': () => ({
    draft: rewritesOf(() => ({
      operator: 'regex',
      sourcePattern: '^/(?:a|aa){200}(a*)(a*)(a*)(a*)(a*)(a*)(a*)(a*)(a*)',
      target: '/$9',
    })),
    facts: { url: `https://a.example${pathOf()}` },
  }),
  'a result repeats a group': () => ({
    draft: { rewrites: [{ operator: 'regex', sourcePattern: '^/(.*)$', target: `/${'$1'.repeat(1000)}` }] },
    facts: { url: `https://a.example${pathOf()}` },
  }),
  'a result is normalized': () => ({
    draft: rewritesOf(() => ({ operator: 'starts_with', sourcePattern: '/', target: '/%41/' })),
    facts: { url: `https://a.example/${'%41/../'.repeat(1100)}` },
  }),
};

const page = 'ä'.repeat(9000);
const manyIgnored = times(100, (at) => `a${at}*`);

/** The worst cases of settings, cache keys and the request itself. */
const others: Readonly<Record<string, () => ExpensiveZone>> = {
  'many rules override pages': () => ({
    draft: {
      rules: times(limits.rules, () => ({
        conditions: any([leaf('uri', 'starts_with', '/')]),
        settingsOverrides: { customPagesMaintenanceHtml: page, headersRequestSet: [{ name: 'X-A', value: 'b' }] },
      })),
    },
    facts: { url },
  }),
  'many rules may override a list': () => ({
    draft: {
      rules: times(limits.rules, (at) => ({
        conditions: any([leaf('country', 'equals', 'DE')]),
        settingsOverrides: {
          headersRequestSet: times(20, (of) => ({ name: `X-${of}`, value: of === 19 ? `${at}` : 'b'.repeat(500) })),
        },
      })),
    },
    facts: { url, country: undefined },
  }),
  'a cache key leaves parameters out': () => ({
    draft: { settings: { cachingIgnoredUrlParams: manyIgnored } },
    facts: { url: `${url}?${times(2000, (at) => `a${at % 7}`).join('&')}` },
  }),
  'a cache key sorts parameters': () => ({
    draft: { settings: { cachingIgnoredUrlParams: [], cachingManagedIgnoredUrlParamsEnabled: false } },
    facts: { url: `${url}?${times(1200, (at) => `p${(at * 7919) % 1200}`).join('&')}` },
  }),
  'a cache key varies by cookies and headers': () => ({
    draft: {
      settings: {
        cachingDynamicEnabled: true,
        cachingDynamicCacheKey: {
          uri: true,
          varyByHostname: true,
          varyByQueryString: [],
          varyByCookie: times(10, (at) => `c${at}`),
          varyByHeader: times(10, (at) => `x-${at}`),
          varyByCountry: true,
        },
      },
    },
    facts: {
      url,
      headers: [
        { name: 'cookie', value: times(5000, (at) => `c${at % 10}=`).join(';') },
        ...times(10, (at) => ({ name: `x-${at}`, value: 'b'.repeat(500) })),
      ],
    },
  }),
  'a target has many percent-triplets': () => ({ draft: {}, facts: { url: `${url}?${'%41'.repeat(2700)}` } }),
  'a header has the most lines': () => ({
    draft: {},
    facts: { url, headers: times(100, (at) => ({ name: `x-${at}-${'n'.repeat(100)}`, value: 'b'.repeat(200) })) },
  }),
};

/** The worst cases by name. */
export const expensiveZones: Readonly<Record<string, () => ExpensiveZone>> = {
  ...operators,
  ...patterns,
  ...fields,
  ...rewrites,
  ...others,
};
