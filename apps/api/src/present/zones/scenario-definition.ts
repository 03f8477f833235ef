import { described, readOnly } from '@zonewright/api-description';
import {
  type InvalidInput,
  invalidInput,
  isJsonObject,
  type Json,
  type JsonObject,
  maxDefinitionBytes,
  parseRuleContent,
  ruleKinds,
  type SecurityScenarioContent,
  scenarioScopes,
  violation,
} from '@zonewright/core';
import { err, ok, type Result } from 'neverthrow';
import { stringify } from 'yaml';
import { z } from 'zod';
import type { Members } from '../../resources/resource.ts';
import { plainYaml } from '../plain-yaml.ts';
import { exampleScenario, ruleMembers } from './rule-members.ts';

/**
 * A scenario's `definition`: its members as YAML. Clients write either and read both. Text written by a client is
 * returned verbatim, comments included, until the scenario is changed through its members.
 */

/** The members a definition may contain. */
const definable = Object.keys(ruleKinds.securityScenario.schema.shape).filter((member) => member !== 'definition');

const Definition = z.string().meta({
  description:
    'The scenario as YAML: the text that was sent, or one generated from the members. Anchors, aliases and tags are rejected.',
});

/** The members in responses. */
export const scenarioShape = {
  ...described(ruleKinds.securityScenario.schema.shape, ruleMembers.securityScenario),
  evaluationScope: readOnly(z.enum(scenarioScopes), 'The scope under the name that the evaluation uses.'),
  definition: Definition.meta({
    // Generated only for the API documentation.
    get examples() {
      return [stringify(exampleScenario)];
    },
  }),
} as const;

/** The request body: members, or a definition that contains them. */
export const ScenarioBody = z.union([
  z.strictObject({ ...ruleKinds.securityScenario.schema.shape, definition: Definition.optional() }),
  z.strictObject({ definition: Definition }),
]);

/** The response: all members, and the equivalent definition. */
export function scenarioMembers({ definition, ...members }: SecurityScenarioContent): Members {
  return { ...members, evaluationScope: members.scope, definition: definition ?? definitionOf(members) };
}

/** Cache of YAML by the equivalent JSON: generated when a scenario is written or first read. */
const definitions = new Map<string, string>();

/** The cache is emptied when it is full. */
const maxDefinitions = 200;

function definitionOf(members: Members): string {
  const name = JSON.stringify(members);
  const existing = definitions.get(name);
  if (existing !== undefined) return existing;
  if (definitions.size >= maxDefinitions) definitions.clear();
  const made = yamlOf(members);
  definitions.set(name, made);
  return made;
}

/** Long strings must not become longer than in JSON, or clients could not write back what they read. */
function yamlOf(members: Members): string {
  const readable = stringify(members);
  return Buffer.byteLength(readable) <= maxDefinitionBytes
    ? readable
    : stringify(members, { blockQuote: false, doubleQuotedAsJSON: true, lineWidth: 0 });
}

/** The members of a new scenario, taken from its definition if the body has one. */
export function fromScenarioBody(body: JsonObject): Result<JsonObject, InvalidInput> {
  const { definition, ...members } = body;
  if (definition === undefined || definition === null) return ok(members);
  return membersIn(definition).andThen((defined) => {
    if (Object.keys(members).length > 0 && !isSameScenario(defined, members)) return err(conflict());
    return ok(isOurs(definition, defined) ? defined : { ...defined, definition });
  });
}

/** The patch of a scenario: a definition replaces all members; patched members discard the stored text. */
export function fromScenarioPatch(patch: JsonObject): Result<JsonObject, InvalidInput> {
  const members = definable.filter((member) => Object.hasOwn(patch, member));
  if (patch['definition'] === undefined || patch['definition'] === null) {
    return ok(members.length === 0 ? patch : { ...patch, definition: null });
  }
  const unset = Object.fromEntries([...definable, 'definition'].map((member) => [member, null]));
  return fromScenarioBody(patch).map((said) => ({ ...unset, ...said }));
}

const isSameScenario = (one: JsonObject, other: JsonObject): boolean => {
  const [left, right] = [one, other].map((members) => parseRuleContent('securityScenario', members));
  return left?.isOk() === true && right?.isOk() === true && JSON.stringify(left.value) === JSON.stringify(right.value);
};

/** Whether a definition equals the generated one, so that there is no author's text to store. */
const isOurs = (definition: Json, members: JsonObject): boolean =>
  parseRuleContent('securityScenario', members).match(
    (content) => definition === definitionOf(content),
    () => false,
  );

const refusal = (code: string, message: string): InvalidInput =>
  invalidInput([violation('definition', code.startsWith('text.') ? code : `scenario.definition.${code}`, message)]);

const conflict = (): InvalidInput =>
  refusal('conflict', 'The definition contradicts the other members; send only one of the two.');

/** Parses a definition. It may not contain another definition, which would be ignored. */
function membersIn(definition: unknown): Result<JsonObject, InvalidInput> {
  if (typeof definition !== 'string') return err(refusal('type', 'This value should be a string.'));
  if (Buffer.byteLength(definition) > maxDefinitionBytes) {
    return err(refusal('tooLong', `This value should have at most ${maxDefinitionBytes} bytes.`));
  }
  return plainYaml(definition)
    .mapErr(({ code, message }) => refusal(code, message))
    .andThen((members) => {
      if (!isJsonObject(members)) return err(refusal('type', 'A definition should be a mapping of members.'));
      if (Object.hasOwn(members, 'definition')) {
        return err(refusal('construct', 'A definition cannot contain a definition.'));
      }
      return ok(Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)));
    });
}
