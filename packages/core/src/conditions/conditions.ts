import {
  type FieldScope,
  fieldSpellings,
  isOperatorSpelling,
  logicOf,
  logicSpellings,
  operatorSpellings,
} from '@zonewright/engine';
import { z } from 'zod';
import { coded } from '../shared/parse.ts';
import { utf8Bytes } from '../shared/text.ts';
import { usageLimits } from '../usage-limits/usage-limits.ts';
import {
  type ConditionLeaf,
  conditionBytes,
  isAddressList,
  type LeafInput,
  leafProblems,
  writtenLeaf,
} from './leaf.ts';

/** Upper bound for every zone; the limit in force is checked where rules are written. */
export const maxLeaves = usageLimits.conditions.ceiling;

const logicSchema = z
  .string()
  .refine(
    (spelling) => logicOf(spelling) !== undefined,
    coded('condition.logic', 'This value should be "and" or "or".'),
  )
  .meta({
    description: 'Whether all conditions must hold (`and`, `all`) or any of them (`or`, `any`). Case-insensitive.',
    examples: [...logicSpellings],
  });

/** Keeps conditions as written, except that empty members are dropped and members are put in a fixed order. */
const leafSchema = (scope: FieldScope) =>
  z
    .strictObject({
      field: z.string().meta({ enum: fieldSpellings(scope), description: 'The part of the request to compare.' }),
      operator: z.string().meta({ enum: operatorSpellings, description: 'How it is compared with the value.' }),
      target: z.string().nullish().meta({ description: 'Name of the header, cookie or query parameter.' }),
      value: z.string().nullish().meta({ description: 'The value to compare with; not used by `exists`.' }),
    })
    .transform((leaf: LeafInput, { issues }): ConditionLeaf => {
      for (const { member, code, message } of leafProblems(leaf, scope)) {
        issues.push({ code: 'custom', path: [member], input: leaf[member], ...coded(`condition.${code}`, message) });
      }
      return writtenLeaf(leaf);
    });

/** The size of conditions as JSON, without address lists. */
const bytesOf = ({ logic, conditions }: { readonly logic: string; readonly conditions: readonly ConditionLeaf[] }) =>
  utf8Bytes(JSON.stringify({ logic, conditions: conditions.map(withoutAddresses) }));

/** Also takes invalid leaves, whose field or operator may be unknown. */
const withoutAddresses = (leaf: ConditionLeaf): ConditionLeaf =>
  leaf.field === 'ip' && isOperatorSpelling(leaf.operator) && isAddressList(leaf) ? { ...leaf, value: '' } : leaf;

const conditionsSchema = (scope: FieldScope) =>
  z
    .strictObject({
      logic: logicSchema,
      conditions: z
        .array(leafSchema(scope))
        .min(1)
        .max(maxLeaves)
        .meta({
          description: `The conditions, in any order; at most ${usageLimits.conditions.default} unless the operator sets another limit.`,
        }),
    })
    .refine((conditions) => bytesOf(conditions) <= conditionBytes, {
      ...coded('condition.tooLarge', `The conditions should be at most ${conditionBytes} bytes long as JSON.`),
      // Size is reported along with other violations, but only values of the right shape can be measured.
      when: ({ issues }) => issues.every(({ code }) => code === 'custom' || code === 'unrecognized_keys'),
    })
    .brand<'Conditions'>();

/**
 * When a rule applies: a flat list of conditions of which all or any must match (interface, "Configuration rule").
 *
 * Keeps what the client wrote, including aliases, case and order; `canonicalConditions` has the meaning. A value
 * compared as a whole has at most 4096 characters; other values and list entries at most 1024.
 */
export const Conditions = conditionsSchema('request');
export type Conditions = z.infer<typeof Conditions>;

/** Conditions on a request and its response: they may also test the response status. */
export const ScenarioFilter = conditionsSchema('requestAndAnswer');
export type ScenarioFilter = z.infer<typeof ScenarioFilter>;
