import { accessActions, redirectStatuses, skipTargets } from '@zonewright/core';
import { z } from 'zod';

/** A result that may be unknown because the request omits facts. */
export const Tri = z.enum(['true', 'false', 'unknown']);
const Possible = z.enum(['true', 'unknown']);

/** Values that may be secrets, or are too many, are shown as their length in bytes. */
export const Shown = z.union([z.string(), z.object({ length: z.int().min(0) })]);

const Leaf = z.object({
  index: z.int().min(0).meta({ description: 'Index among the conditions as written, starting at 0.' }),
  result: Tri,
  subject: z.array(Shown).optional().meta({
    description:
      'The value the condition was matched against; absent if unknown. Only the length is shown of values that may be secret, and of long ones after the first 100,000 characters.',
  }),
});

const evaluatedOutcomes = ['matched', 'notMatched', 'unknown', 'disabled'] as const;
const listed = [...evaluatedOutcomes, 'afterStop'] as const;

const step = {
  rule: z.string().meta({ format: 'iri-reference', description: 'Address of the rule.' }),
  name: z.string(),
  order: z.int().min(1).meta({ description: 'Position in the list, starting at 1.' }),
  leaves: z.array(Leaf).optional().meta({ description: 'The conditions that were checked.' }),
} as const;

const Outcome = z.enum(listed);

const Effect = z
  .union([
    z.object({ path: z.string(), query: z.string() }),
    z.object({ status: z.literal(redirectStatuses), location: z.string() }),
  ])
  .meta({ description: 'Where the rule sends the request, or the client.' });

const ends = Tri.meta({ description: 'Whether the phase ends the request.' });

const Skip = z.object({ target: z.enum(skipTargets), result: Possible });

/** The phases of an evaluation, in execution order. */
export const Phase = z.discriminatedUnion('phase', [
  z.object({
    phase: z.literal('accessRules'),
    ends,
    steps: z.array(z.object({ ...step, action: z.enum(accessActions), outcome: Outcome })),
    skips: z.array(Skip).meta({ description: 'The checks that are skipped for the request.' }),
  }),
  z.object({
    phase: z.literal('rewriteRules'),
    ends,
    steps: z.array(
      z.object({
        ...step,
        outcome: Outcome,
        source: z
          .enum(['true', 'false'])
          .optional()
          .meta({ description: 'Whether the source pattern matches the path.' }),
        effect: Effect.optional(),
      }),
    ),
    changed: Tri.optional().meta({ description: 'Whether the path or query differs from what the client sent.' }),
    path: z.string().optional(),
    query: z.string().optional(),
  }),
  z.object({
    phase: z.literal('configurationRules'),
    ends: z.literal('false'),
    steps: z.array(
      z.object({
        ...step,
        outcome: Outcome,
        writes: z.array(z.string()).optional().meta({ description: 'The settings that the rule replaces.' }),
      }),
    ),
  }),
  z.object({
    phase: z.literal('security'),
    ends,
    active: Tri,
    underAttack: Tri,
    steps: z.array(z.object({ ...step, outcome: z.enum([...evaluatedOutcomes, 'inactive']) })),
  }),
  z.object({
    phase: z.literal('basicAuth'),
    ends,
    required: Tri,
    credentials: z.enum(['given', 'missing', 'unknown']),
  }),
  z.object({ phase: z.literal('maintenance'), ends, active: Tri }),
]);
