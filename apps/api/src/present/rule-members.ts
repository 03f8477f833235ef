import type { RuleKind } from '@zonewright/core';
import type { MemberText } from '../resources/description.ts';

type Texts = Readonly<Record<string, MemberText>>;

const common = (example: string): Texts => ({
  name: {
    description: 'Name; unique among the rules of its kind in the zone, in any letter case.',
    examples: [example],
  },
  description: { description: 'What the rule is for.', examples: [''] },
  enabled: { description: 'A rule that is not enabled is passed over.', examples: [true] },
});

const conditionsOn = (value: string) => ({
  logic: 'and',
  conditions: [{ field: 'uri', operator: 'starts_with', value }],
});

/** A scenario of the type `leaky`, without the members that have a default. */
export const exampleScenario = {
  name: 'login-guessing',
  filter: { logic: 'and', conditions: [{ field: 'uri', operator: 'equals', value: '/login' }] },
  capacity: 5,
  leakSpeedSeconds: 10,
} as const;

/** What is told of the members of rules of each kind (interface, "Configuration rule"). */
export const ruleMembers: Readonly<Record<RuleKind, Texts>> = {
  configurationRule: {
    ...common('No cache for the cart'),
    conditions: {
      description: 'When the rule applies. No two rules of the zone have the same conditions.',
      examples: [conditionsOn('/cart')],
    },
    stopOnMatch: { description: 'Whether the rules after this one are passed over when it applies.' },
    settingsOverrides: {
      description: 'Settings that hold in place of those of the zone while the rule applies.',
      examples: [{ cachingDynamicEnabled: false }],
    },
  },
  rewriteRule: {
    ...common('Blog is news now'),
    operator: {
      description: 'How the path of a request is compared with the source pattern.',
      examples: ['regex'],
    },
    sourcePattern: {
      description: 'The path, its beginning, or a regular expression that it matches.',
      examples: ['^/blog/(.+)$'],
    },
    target: {
      description:
        'Where the request goes: a path, for redirects also an address. `$1` to `$9` stand for groups of the pattern, `$$` for a dollar sign.',
      examples: ['/news/$1'],
    },
    type: { description: 'Whether the request goes on under another path, or the client is sent elsewhere.' },
    statusCode: { description: 'Status of a redirect, 302 unless another one is given; a rewrite has none.' },
    preserveQueryString: { description: 'Whether the query of the request is kept.' },
  },
  accessRule: {
    ...common('No strangers in the back office'),
    conditions: { description: 'When the rule applies.', examples: [conditionsOn('/admin')] },
    action: {
      description: 'What is done with the request: let through, refused with 403, challenged, or spared some checks.',
      examples: ['block'],
    },
    skipTargets: { description: 'The checks that `skip` spares the request; other actions have none.' },
    stopOnMatch: { description: 'Whether `skip` also ends the evaluation of access rules.' },
  },
  securityScenario: {
    name: {
      description: 'Name; unique among the scenarios of the zone.',
      examples: [exampleScenario.name],
    },
    enabled: { description: 'A scenario that is not enabled watches nothing.' },
    testing: { description: 'Only logs what it would do.' },
    scope: { description: 'What is counted together: requests of one address, session, network, country or host.' },
    type: { description: 'A leaky bucket, an overflow at the first event, or a count in a window of time.' },
    filter: { description: 'The requests that are events of the scenario.', examples: [exampleScenario.filter] },
    distinct: { description: 'Counts only different values of this part of a request.' },
    capacity: {
      description: 'More events than this overflow; for `leaky` and `counter`.',
      examples: [exampleScenario.capacity],
    },
    leakSpeedSeconds: {
      description: 'Seconds after which one event is forgotten; for `leaky`.',
      examples: [exampleScenario.leakSpeedSeconds],
    },
    durationSeconds: { description: 'Seconds in which events are counted; for `counter`.' },
    blackholeSeconds: { description: 'Seconds of silence after an overflow.' },
    action: { description: 'What is done with those who overflow it.' },
    actionTtlSeconds: { description: 'Seconds for which that is done.' },
  },
};
