import type { CanonicalLeaf } from '../../src/conditions/canonical.ts';
import { Conditions } from '../../src/conditions/conditions.ts';
import { parse } from '../../src/shared/parse.ts';

/** One condition as a client may send it. */
export interface LeafInput {
  readonly field: string;
  readonly operator: string;
  readonly target?: string | null;
  readonly value?: string | null;
}

/** A condition of the field that is right unless the test says otherwise: target and value fit. */
export const aLeaf = (leaf: LeafInput): LeafInput => ({ ...targetFor(leaf.field), ...leaf });

const targets: Readonly<Record<string, string>> = {
  header: 'X-Test',
  cookie: 'session',
  queryParam: 'page',
  args: 'page',
};
const targetFor = (field: string) => (targets[field] === undefined ? {} : { target: targets[field] });

/** Checked conditions; throws when the input breaks a rule, so that a test never goes on with none. */
export const conditionsOf = (conditions: readonly (LeafInput | CanonicalLeaf)[], logic = 'and'): Conditions =>
  parse(Conditions, { logic, conditions }).match(
    (checked) => checked,
    ({ violations }) => {
      throw new Error(JSON.stringify(violations));
    },
  );

/** `path code` of every violation of the conditions. */
export const violationsOf = (input: unknown): readonly string[] =>
  parse(Conditions, input).match(
    () => [],
    ({ violations }) => violations.map(({ propertyPath, code }) => `${propertyPath} ${code}`),
  );

/** `member code` of every violation of one condition. */
export const leafViolations = (leaf: object): readonly string[] =>
  violationsOf({ logic: 'and', conditions: [leaf] }).map((each) => each.replace(/^conditions\[0\]\.?/, ''));
