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
import { described, readOnly } from '../resources/description.ts';
import type { Members } from '../resources/resource.ts';
import { plainYaml } from './plain-yaml.ts';
import { exampleScenario, ruleMembers } from './rule-members.ts';

/**
 * A scenario's `definition`: its members as YAML text. Clients write one or the other and read both; text that a client
 * wrote reads back as it was, comments included, until the scenario is changed by members.
 */

/** The members that a definition can hold. */
const definable = [
  'name',
  'enabled',
  'testing',
  'scope',
  'type',
  'filter',
  'distinct',
  'capacity',
  'leakSpeedSeconds',
  'durationSeconds',
  'blackholeSeconds',
  'action',
  'actionTtlSeconds',
] as const;

const Definition = z.string().meta({
  description:
    'The scenario as YAML: the text that was sent, or one generated from the members. Anchors, aliases and tags are rejected.',
});

/** The members that reads of scenarios have. */
export const scenarioShape = {
  ...described(ruleKinds.securityScenario.schema.shape, ruleMembers.securityScenario),
  evaluationScope: readOnly(z.enum(scenarioScopes), 'The scope under the name that the evaluation uses.'),
  definition: Definition.meta({ examples: [stringify(exampleScenario)] }),
} as const;

/** What clients write of a scenario: its members, or a definition that holds them. */
export const ScenarioBody = z.union([
  z.strictObject({ ...ruleKinds.securityScenario.schema.shape, definition: Definition.optional() }),
  z.strictObject({ definition: Definition }),
]);

/** What is read of a scenario: every member, and the definition that says the same. */
export function scenarioMembers({ definition, ...members }: SecurityScenarioContent): Members {
  return { ...members, evaluationScope: members.scope, definition: definition ?? definitionOf(members) };
}

/** YAML by the JSON that says the same: it is made when a scenario is written or first read, not for every read. */
const definitions = new Map<string, string>();

/** Beyond so many they are forgotten, all at once. */
const maxDefinitions = 200;

function definitionOf(members: Members): string {
  const name = JSON.stringify(members);
  const known = definitions.get(name);
  if (known !== undefined) return known;
  if (definitions.size >= maxDefinitions) definitions.clear();
  const made = yamlOf(members);
  definitions.set(name, made);
  return made;
}

/** Long texts in a form that is no longer than JSON, or what is read could not be written back. */
function yamlOf(members: Members): string {
  const readable = stringify(members);
  return Buffer.byteLength(readable) <= maxDefinitionBytes
    ? readable
    : stringify(members, { blockQuote: false, doubleQuotedAsJSON: true, lineWidth: 0 });
}

/** The members of a new scenario, from its definition where the body has one. */
export function fromScenarioBody(body: JsonObject): Result<JsonObject, InvalidInput> {
  const { definition, ...members } = body;
  if (definition === undefined || definition === null) return ok(members);
  return membersIn(definition).andThen((defined) => {
    if (Object.keys(members).length > 0 && !isSameScenario(defined, members)) return err(conflict());
    return ok(isOurs(definition, defined) ? defined : { ...defined, definition });
  });
}

/** The patch of a scenario: a definition replaces every member; members make the text that was written obsolete. */
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

/** Whether a text is what would be read anyway: there is nothing of its author's to keep. */
const isOurs = (definition: Json, members: JsonObject): boolean =>
  parseRuleContent('securityScenario', members).match(
    (content) => definition === definitionOf(content),
    () => false,
  );

const refusal = (code: string, message: string): InvalidInput =>
  invalidInput([violation('definition', code.startsWith('text.') ? code : `scenario.definition.${code}`, message)]);

const conflict = (): InvalidInput =>
  refusal('conflict', 'The definition contradicts the other members; send only one of the two.');

/** Reads a definition. It has members only: a definition of its own would never be read. */
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
