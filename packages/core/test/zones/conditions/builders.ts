import { parse } from '../../../src/kernel/shared/parse.ts';
import { type CanonicalLeaf, Conditions } from '../../../src/zones/conditions/conditions.ts';

/** One condition as a client may send it. */
export interface LeafInput {
  readonly field: string;
  readonly operator: string;
  readonly target?: string | null;
  readonly value?: string | null;
}

/** A valid condition on the field, with a fitting target and value by default. */
export const aLeaf = (leaf: LeafInput): LeafInput => ({ ...targetFor(leaf.field), ...leaf });

const targets: Readonly<Record<string, string>> = {
  header: 'X-Test',
  cookie: 'session',
  queryParam: 'page',
  args: 'page',
};
const targetFor = (field: string) => (targets[field] === undefined ? {} : { target: targets[field] });

/** Parses conditions and throws if they are invalid, so that no test continues without them. */
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
