import type { ConditionSet } from '../conditions/compiled-conditions.ts';
import { type FieldName, fieldOf } from '../conditions/fields.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { type ParseOptions, parseConfiguration } from '../configuration/parse-configuration.ts';
import { type CompileOptions, compile, type Engine } from '../evaluation/engine.ts';
import { failure, type Outcome, success } from '../outcome.ts';
import type { Problem } from '../shapes.ts';
import { workPerMillisecond } from '../work.ts';
import { deliveredBackends } from './delivered-backends.ts';

/** Maximum memory for cached pattern states of a stored configuration, in bytes: a process may hold thousands of them. */
const patternMemory = 2 ** 19;

/**
 * Work that one evaluation of a stored configuration may take where it holds up no other requests. Typical ones need a
 * thousandth of it.
 */
export const maxEvaluationWork = 200 * workPerMillisecond;

/**
 * Work that one evaluation may take on a thread that serves other requests: it is over within 20 ms even in the worst
 * cases. Typical ones need a hundredth of it.
 */
export const maxServingWork = 10 * workPerMillisecond;

/** A fact that is read from a database of addresses. */
export type AddressFact = 'country' | 'asn';

/** What compiling a stored configuration needs. */
export type StoredOptions = Pick<CompileOptions, 'names'> & Required<Pick<CompileOptions, 'sha256'>> & ParseOptions;

/** Compiles a stored zone document without backends (see `Engine.withBackends`). */
export function compileStored(
  document: unknown,
  { isValidated = false, ...options }: StoredOptions,
): Outcome<Engine, readonly Problem[]> {
  const configuration = parseConfiguration(document, {}, { isValidated });
  return configuration.ok ? success(compile(configuration.value, { ...options, patternMemory })) : configuration;
}

/** What an edge document says, as far as evaluation is concerned. */
export interface DeliveredConfiguration {
  readonly document: unknown;
  /** By id, each as the API reads it, with its `kind`. */
  readonly backends: unknown;
}

/**
 * Compiles the configuration in an edge document. Service and edge both use it, so that they give the same answers.
 */
export function compileDelivered(
  { document, backends }: DeliveredConfiguration,
  options: StoredOptions,
): Outcome<Engine, readonly Problem[]> {
  const engine = compileStored(document, options);
  if (!engine.ok) return engine;
  const problems: Problem[] = [];
  const usable = deliveredBackends(backends, { path: 'backends', problems });
  return usable === undefined || problems.length > 0 ? failure(problems) : success(engine.value.withBackends(usable));
}

const addressFacts: readonly AddressFact[] = ['country', 'asn'];

/**
 * The facts from databases of addresses on which access or security of a zone depend: those that enabled access rules
 * and scenarios look at. Other rules may do without them. For documents that were compiled before.
 */
export function protectingFacts(document: unknown): readonly AddressFact[] {
  const configuration = parseConfiguration(document, {}, { isValidated: true });
  if (!configuration.ok) return [];
  const fields = new Set(protectingConditions(configuration.value).flatMap(fieldsOf));
  return addressFacts.filter((fact) => fields.has(fact));
}

const protectingConditions = ({ accessRules, securityScenarios }: Configuration): readonly ConditionSet[] => [
  ...accessRules.flatMap(({ enabled, conditions }) => (enabled ? [conditions] : [])),
  ...securityScenarios.flatMap(({ enabled, filter }) => (enabled ? [filter] : [])),
];

const fieldsOf = ({ leaves }: ConditionSet): readonly FieldName[] => leaves.map(({ field }) => fieldOf(field));
