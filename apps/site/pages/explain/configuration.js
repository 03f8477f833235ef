/**
 * The evaluated configuration: the document of a revision with an unsaved change.
 * @typedef {object} Configuration
 * @property {(address: string) => Rule | undefined} rule The rule with this address.
 * @property {(key: string) => unknown} setting The zone's own value.
 */

/** @typedef {{ field: string, operator: string, target?: string | null, value?: string | null }} Condition */
/** @typedef {{ logic: string, conditions: readonly Condition[] }} Conditions */

/**
 * The displayed part of a rule of any kind.
 * @typedef {object} Rule
 * @property {string} name
 * @property {Conditions} [conditions]
 * @property {Conditions} [filter] The conditions of a scenario.
 * @property {Readonly<Record<string, unknown>>} [settingsOverrides]
 * @property {string} [operator] Of a rewrite rule's source.
 * @property {string} [sourcePattern]
 */

/** Document members by path segment. */
const lists = /** @type {Readonly<Record<string, string>>} */ ({
  'access-rules': 'accessRules',
  'rewrite-rules': 'rewriteRules',
  'configuration-rules': 'configurationRules',
  scenarios: 'securityScenarios',
});

/**
 * @param {any} state The document of a revision.
 * @param {unknown} patch A merge patch for it.
 * @returns {Configuration}
 */
export function configurationOf(state, patch) {
  const document = patch === undefined ? state : merged(state, patch);
  return {
    rule: (address) => {
      const [list = '', id = ''] = address.split('/').slice(-2);
      return document[lists[list] ?? '']?.items?.[id];
    },
    setting: (key) => document.zone_settings?.[key],
  };
}

/**
 * Applies a merge patch (RFC 7396 section 2).
 * @param {any} target
 * @param {any} patch
 * @returns {any}
 */
function merged(target, patch) {
  if (!isObject(patch)) return patch;
  const result = { ...(isObject(target) ? target : {}) };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = merged(result[name], value);
  }
  return result;
}

/** @param {unknown} value */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
