import type { BehaviourDiff } from '@zonewright/core';
import { parseConfiguration } from '@zonewright/engine';
import * as fc from 'fast-check';
import { okOf } from '../../engine/test/outcomes.ts';
import { documentOf, originServer, type ZoneDraft } from '../../engine/test/zones.ts';
import { behaviourDiff } from '../src/index.ts';
import { conditions } from './arbitraries.ts';
import { zoneWith } from './soundness.ts';

type Members = Readonly<Record<string, unknown>>;
type Pair = readonly [before: ZoneDraft, after: ZoneDraft];

const rule = (set: unknown, cachingDefaultTtl: number): Members => ({
  conditions: set,
  settingsOverrides: { cachingDefaultTtl },
});

/** The conditions with one more alternative. */
const wider = (set: Members): Members => {
  const { conditions: leaves } = set as { readonly conditions: readonly Members[] };
  const more = { field: 'uri', operator: 'equals', value: '/seeded' };
  return { logic: 'or', conditions: [...leaves.slice(0, 1), more] };
};

/** Changes to seed into a zone, with the key that they affect. */
export const seededChanges = {
  'an override': {
    key: 'settings.cachingDefaultTtl',
    make: ({ rules = [], ...draft }: ZoneDraft, set: Members): Pair => [
      { ...draft, rules: [...rules, rule(set, 777)] },
      { ...draft, rules: [...rules, rule(set, 778)] },
    ],
  },
  'a rule moved across one it meets': {
    key: 'settings.cachingDefaultTtl',
    make: ({ rules = [], ...draft }: ZoneDraft, set: Members): Pair => [
      { ...draft, rules: [...rules, rule(set, 777), rule(wider(set), 778)] },
      { ...draft, rules: [...rules, rule(wider(set), 778), rule(set, 777)] },
    ],
  },
  'a wider condition': {
    key: 'settings.cachingDefaultTtl',
    make: ({ rules = [], ...draft }: ZoneDraft, set: Members): Pair => [
      {
        ...draft,
        rules: [
          ...rules,
          rule({ ...wider(set), conditions: (wider(set)['conditions'] as Members[]).slice(0, 1) }, 777),
        ],
      },
      { ...draft, rules: [...rules, rule(wider(set), 777)] },
    ],
  },
  'the content of a backend': {
    key: 'backend',
    make: (draft: ZoneDraft): Pair => [
      { ...draft, backends: { originServers: [originServer] } },
      { ...draft, backends: { originServers: [{ ...originServer, port: 8443 }] } },
    ],
  },
} as const;

const compared = ([before, after]: Pair): BehaviourDiff => {
  const [one, other] = [before, after].map((draft) =>
    okOf(parseConfiguration(documentOf(draft), draft.backends ?? { originServers: [originServer] })),
  );
  if (one === undefined || other === undefined) throw new Error('There are two.');
  return behaviourDiff(one, other);
};

/**
 * For zones with this many rules and a seeded change: the share in which it is found, and the share of complete
 * comparisons.
 */
export function shareOfChanges(name: keyof typeof seededChanges, zones: number, rules: number) {
  const { key, make } = seededChanges[name];
  const zone = zoneWith({ minLength: rules, maxLength: rules });
  const results = fc
    .sample(fc.tuple(zone, conditions(2)), { numRuns: zones, seed: 1 })
    .map(([draft, set]) => compared(make(draft, set)))
    // Ignores changes proven to have no effect; that proof is tested elsewhere.
    .filter(({ harmless }) => !harmless);
  const share = (isSo: (diff: BehaviourDiff) => boolean): number => results.filter(isSo).length / results.length;
  return {
    found: share(({ changes }) => changes.some((each) => each.key === key)),
    complete: share(({ complete }) => complete),
    count: results.length,
  };
}
