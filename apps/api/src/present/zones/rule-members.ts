import type { MemberText } from '@zonewright/api-description';
import type { RuleKind } from '@zonewright/core';

type Texts = Readonly<Record<string, MemberText>>;

const common = (example: string): Texts => ({
  name: {
    description: 'Name; unique among the rules of this kind in the zone, ignoring case.',
    examples: [example],
  },
  description: { description: 'A free-form description.', examples: [''] },
  enabled: { description: 'A disabled rule is skipped.', examples: [true] },
});

const conditionsOn = (value: string) => ({
  logic: 'and',
  conditions: [{ field: 'uri', operator: 'starts_with', value }],
});

/** A `leaky` scenario without the members that have a default. */
export const exampleScenario = {
  name: 'login-guessing',
  filter: { logic: 'and', conditions: [{ field: 'uri', operator: 'equals', value: '/login' }] },
  capacity: 5,
  leakSpeedSeconds: 10,
} as const;

/** Documentation of the members of each kind of rule (interface, "Configuration rule"). */
export const ruleMembers: Readonly<Record<RuleKind, Texts>> = {
  configurationRule: {
    ...common('No cache for the cart'),
    conditions: {
      description: 'When the rule applies. No two rules of the zone have the same conditions.',
      examples: [conditionsOn('/cart')],
    },
    stopOnMatch: { description: 'Whether the remaining rules are skipped when this one applies.' },
    settingsOverrides: {
      description: 'Settings that replace those of the zone when the rule applies.',
      examples: [{ cachingDynamicEnabled: false }],
    },
  },
  rewriteRule: {
    ...common('Blog moved to news'),
    operator: {
      description: 'How the path of a request is matched against the source pattern.',
      examples: ['regex'],
    },
    sourcePattern: {
      description: 'An exact path, a path prefix or a regular expression.',
      examples: ['^/blog/(.+)$'],
    },
    target: {
      description:
        'Where the request goes: a path or, for redirects, also a URL, whose host is literal or `$host`, that of the request. `$1` to `$9` refer to groups of the pattern; `$$` is a dollar sign.',
      examples: ['/news/$1'],
    },
    type: { description: 'Whether the request continues with another path or the client is redirected.' },
    statusCode: { description: 'Status code of a redirect, 302 by default; rewrites have none.' },
    preserveQueryString: { description: 'Whether the query string of the request is kept.' },
    conditions: {
      description: 'Further conditions on the request as the client sent it; absent if there are none.',
      examples: [{ logic: 'and', conditions: [{ field: 'scheme', operator: 'equals', value: 'http' }] }],
    },
  },
  accessRule: {
    ...common('Protect the back office'),
    conditions: { description: 'When the rule applies.', examples: [conditionsOn('/admin')] },
    action: {
      description: 'What happens to the request: it is allowed, blocked with 403, challenged, or skips some checks.',
      examples: ['block'],
    },
    skipTargets: { description: 'The checks that `skip` bypasses; must be empty for other actions.' },
    stopOnMatch: { description: 'Whether `skip` also stops the evaluation of access rules.' },
  },
  securityScenario: {
    name: {
      description: 'Name; unique within the zone.',
      examples: [exampleScenario.name],
    },
    enabled: { description: 'A disabled scenario counts nothing.' },
    testing: { description: 'Whether the scenario only logs what it would do.' },
    scope: { description: 'How requests are grouped for counting: by address, session, network, country or host.' },
    type: { description: 'A leaky bucket, a trigger on the first event, or a counter over a time window.' },
    filter: { description: 'Which requests count as events.', examples: [exampleScenario.filter] },
    distinct: { description: 'Counts only distinct values of this part of the request.' },
    capacity: {
      description: 'The scenario overflows when there are more events than this; for `leaky` and `counter`.',
      examples: [exampleScenario.capacity],
    },
    leakSpeedSeconds: {
      description: 'One event leaks out of the bucket in this many seconds; for `leaky`.',
      examples: [exampleScenario.leakSpeedSeconds],
    },
    durationSeconds: { description: 'Length of the time window in seconds; for `counter`.' },
    blackholeSeconds: { description: 'Seconds after an overflow during which further overflows are ignored.' },
    action: { description: 'What happens to clients that cause an overflow.' },
    actionTtlSeconds: { description: 'How long the action lasts, in seconds.' },
  },
};
