import { isJsonObject, jsonOf } from '../../kernel/shared/json.ts';
import type { ZoneState } from '../../zones/zones/zone-state.ts';

/** The settings that a zone or a rule of it turns on, of those that an edge says it cannot act on. */
export function unsupportedIn({ zone, rules }: ZoneState, unsupported: readonly string[]): readonly string[] {
  if (unsupported.length === 0) return [];
  const overrides = rules.configurationRule.map(({ content }) => jsonOf(content)['settingsOverrides']);
  const used = [jsonOf(zone.settings), ...overrides].filter(isJsonObject);
  return unsupported.filter((name) => used.some((settings) => settings[name] === true));
}
