import { usageLimits } from '@zonewright/core';
import type { RuleListName } from '../support/zone-contents.ts';

type Members = Readonly<Record<string, unknown>>;

/** The header whose value the most expensive patterns search. */
export const searchedHeader = 'x-searched';

/** The longest value of a header that a request to evaluate may have, and the worst for the patterns. */
export const searchedValue = 'ab'.repeat(2000);

/** Matching needs as many states as the bounds of repetitions allow. */
const pattern = (index: number): string => `[ab]{0,900}[ab]{0,900}[ab]{0,${480 - index}}[cz][cz]$`;

const addressesPerList = 480;
/** Different from list to list, and neither adjacent nor sorted. */
const addresses = (list: number): string =>
  Array.from({ length: addressesPerList }, (_, at) => {
    const number = (list * addressesPerList + at) * 2_654_435_761;
    return [1 + (number % 220), (number >> 8) & 255, (number >> 16) & 255, at & 255].join('.');
  }).join('\n');

const leaf = (field: string, operator: string, value: string, target?: string): Members => ({
  field,
  operator,
  value,
  ...(target === undefined ? {} : { target }),
});

const conditionsPerRule = usageLimits.conditions.default;

/** One list of addresses, and as many long texts as conditions may have. */
const longConditions = (index: number): Members => ({
  logic: 'or',
  conditions: [
    leaf('ip', 'in', addresses(index)),
    ...Array.from({ length: conditionsPerRule - 1 }, (_, at) =>
      leaf('uri', 'contains', `${index}-${at}-${'x'.repeat(53)}`),
    ),
  ],
});

/** The number of access rules with expensive patterns; the others have long conditions. */
const patternRules = 30;

const accessConditions = (index: number): Members =>
  index < patternRules
    ? { logic: 'or', conditions: [leaf('header', 'matches', pattern(index), searchedHeader)] }
    : longConditions(1000 + index);

/** The index-th expensive rule of a kind. */
const members: Readonly<Record<RuleListName, (index: number) => Members>> = {
  configurationRules: (index) => ({
    name: `Rule ${index}`,
    conditions: longConditions(index),
    settingsOverrides: { minifyHtml: index % 2 === 0 },
  }),
  accessRules: (index) => ({ name: `Rule ${index}`, action: 'block', conditions: accessConditions(index) }),
  rewriteRules: (index) => ({
    name: `Rule ${index}`,
    operator: 'regex',
    sourcePattern: `^/${index}${'[a-z]{0,20}'.repeat(20)}$`,
    target: `/${'y'.repeat(500)}`,
  }),
  securityScenarios: (index) => ({ name: `rule-${index}`, type: 'trigger', filter: longConditions(2000 + index) }),
};

/** The limits on the number of rules, and so the number that the largest zone has. */
export const mostRules: Readonly<Record<RuleListName, number>> = {
  configurationRules: usageLimits.configurationRules.default,
  accessRules: usageLimits.accessRules.default,
  rewriteRules: usageLimits.rewriteRules.default,
  securityScenarios: usageLimits.securityScenarios.default,
};

/** An expensive rule; no two are equal. */
export const expensiveRule = (list: RuleListName, index: number): Members => members[list](index);

/** A list of `count` expensive rules. */
export const expensiveRules = (list: RuleListName, count = mostRules[list]): readonly Members[] =>
  Array.from({ length: count }, (_, index) => expensiveRule(list, index));

/** The custom pages of a zone. */
export const pageNames = ['Error', 'Security', 'Challenge', 'Maintenance'].map((page) => `customPages${page}Html`);

const pageBytes = 256 * 1024;

/** Text of a page, different for every number, which does not compress to nothing. */
export const pageText = (number: number, bytes = pageBytes): string => {
  let state = number + 1;
  let text = '';
  while (text.length < bytes) {
    state = (state * 1_103_515_245 + 12_345) % 0x8000_0000;
    text += state.toString(36);
  }
  return text.slice(0, bytes);
};

/** Settings with `count` of the largest custom pages. */
export const largePages = (number: number, count = pageNames.length): Members =>
  Object.fromEntries(pageNames.slice(0, count).map((name, at) => [name, pageText(number * pageNames.length + at)]));
