import { z } from 'zod';
import { firstBroken, issueAt } from '../../kernel/shared/constraints.ts';
import { ScenarioFilter } from '../conditions/conditions.ts';

/** How requests are grouped for counting. */
export const scenarioScopes = ['ip', 'session', 'asn', 'country', 'host'] as const;

/** A leaky bucket, a trigger on the first event, or a counter over a time window. */
const scenarioTypes = ['leaky', 'trigger', 'counter'] as const;

/** What must differ for a further request to count; `none` counts every request. */
export const scenarioDistincts = ['none', 'uri', 'userAgent', 'args'] as const;

/** What happens to further requests of a client that triggered a scenario. */
export const scenarioActions = ['block', 'challenge', 'log'] as const;

/** Maximum size of a scenario's definition text, in bytes of UTF-8. */
export const maxDefinitionBytes = 32_768;

const secondsPerDay = 86_400;
const secondsPerWeek = 604_800;

const ScenarioName = z
  .string()
  .check(
    firstBroken<string>({
      holds: (name) => name.length <= 63 && /^[a-z0-9][a-z0-9-]*$/.test(name),
      code: 'scenario.name',
      message: 'This value should consist of 1 to 63 characters a-z, 0-9 and "-", and not start with "-".',
    }),
  )
  .meta({ minLength: 1, maxLength: 63, pattern: '^[a-z0-9][a-z0-9-]*$' });

const LeakSpeed = z
  .number()
  .check(
    firstBroken<number>({
      holds: (seconds) => seconds >= 0.1 && seconds <= 3600,
      code: 'number.range',
      message: 'This value should be between 0.1 and 3600.',
    }),
  )
  .meta({ minimum: 0.1, maximum: 3600 });

/**
 * Detects a pattern of requests and acts on it. Members that have no effect for a type are rejected, not ignored.
 * `definition` is the source text the client wrote the scenario in, stored to be read back.
 */
export const SecurityScenarioContent = z
  .strictObject({
    name: ScenarioName,
    enabled: z.boolean().default(true),
    /** Only logs the action. */
    testing: z.boolean().default(false),
    scope: z.enum(scenarioScopes).default('ip'),
    type: z.enum(scenarioTypes).default('leaky'),
    filter: ScenarioFilter,
    /** Counts only distinct values of this part of the request. */
    distinct: z.enum(scenarioDistincts).default('none'),
    /** The bucket overflows with more events than this. */
    capacity: z.int().min(1).max(10_000).optional(),
    /** The seconds after which one event leaks. */
    leakSpeedSeconds: LeakSpeed.optional(),
    /** Window of a counter, in seconds. */
    durationSeconds: z.int().min(1).max(secondsPerDay).optional(),
    /** How long further overflows are ignored after one. */
    blackholeSeconds: z.int().min(0).max(secondsPerDay).default(300),
    action: z.enum(scenarioActions).default('challenge'),
    actionTtlSeconds: z.int().min(1).max(secondsPerWeek).default(14_400),
    definition: z.string().optional(),
  })
  .check(({ value, issues }) => {
    const used: readonly Measure[] = measuresOf[value.type];
    for (const member of measures) {
      const isGiven = value[member] !== undefined;
      if (used.includes(member) && !isGiven) issues.push(issueAt([member], undefined, missing(value.type)));
      if (!used.includes(member) && isGiven) issues.push(issueAt([member], value[member], unexpected(value.type)));
    }
  });
export type SecurityScenarioContent = z.output<typeof SecurityScenarioContent>;

const measures = ['capacity', 'leakSpeedSeconds', 'durationSeconds'] as const;
type Measure = (typeof measures)[number];

const measuresOf = {
  leaky: ['capacity', 'leakSpeedSeconds'],
  trigger: [],
  counter: ['capacity', 'durationSeconds'],
} as const satisfies Record<(typeof scenarioTypes)[number], readonly Measure[]>;

const missing = (type: string) => ({
  code: 'member.required',
  message: `This member is required for the type "${type}".`,
});

const unexpected = (type: string) => ({
  code: 'scenario.member.unexpected',
  message: `The type "${type}" does not use this member; leave it out.`,
});
