import { of } from './of.mjs';

const engine = 'packages/engine/src';
const evaluation = ['packages/engine/test/evaluation/*.test.ts', 'packages/engine/test/cache/cache.test.ts'];
const requests = ['packages/engine/test/request/*.test.ts'];
const patterns = ['packages/engine/test/patterns/matcher.test.ts'];
const merging = ['packages/core/test/zones/merging/*.test.ts'];

/** Mutations of evaluation and of document merging. */
export const engineMutations = [
  ...of(`${engine}/phases/access-rules.ts`, evaluation, [
    ["if (applied === 'true') to.ended = applied;", 'to.ended = applied;'],
    ['to.ends = or(to.ends, applied);', ''],
    ['to.dispositions.push(action);', ''],
    ["to.ended = or(to.ended, applied);\n      return;\n    case 'skip':", "return;\n    case 'skip':"],
    ["if (to.skips.get(target) !== 'true') ", ''],
    ['if (stopOnMatch) to.ended', 'to.ended'],
  ]),
  ...of(`${engine}/phases/rewrite-rules.ts`, evaluation, [
    ["to.request.form === 'asterisk' ? undefined : source(to.request.path)", 'source(to.request.path)'],
    ["preserveQueryString ? to.request.query : ''", 'to.request.query'],
    ["if (applied === 'true') to.ended = applied;", 'to.ended = applied;'],
    ["to.address = applied === 'true' ? address : undefined;", 'to.address = address;'],
    ['rule.enabled && unsoundness', 'unsoundness'],
    ["if (ends === 'true') return {};", ''],
    ['path !== request.path || query !== request.query', 'path !== request.path'],
  ]),
  ...of(`${engine}/phases/configuration-rules.ts`, evaluation, [
    ['if (content.stopOnMatch) ended', 'ended'],
    ['filter(isSettingKey).toSorted()', 'filter(isSettingKey)'],
    ['`${rule.order} ${applied}`', '`${applied}`'],
  ]),
  ...of(`${engine}/cache/cache-decision.ts`, evaluation, [
    ["request.method !== 'GET' && request.method !== 'HEAD'", "request.method !== 'GET'"],
    ['and(sent, not(basicAuthRequired))', 'sent'],
    ["not(settings.isOn('cachingRespectCacheControl')),", ''],
    ['seconds === 0', 'seconds === 1'],
    ["return dynamicEnabled === staticEnabled ? dynamicEnabled : 'unknown';", 'return dynamicEnabled;'],
    ['type.toLowerCase()', 'type'],
    [
      "{ true: 'origin', false: 'setting', unknown: 'unknown' }",
      "{ true: 'setting', false: 'origin', unknown: 'unknown' }",
    ],
  ]),
  ...of(`${engine}/cache/cache-key.ts`, evaluation, [
    ['varyByCookie.toSorted(byBytes)', 'varyByCookie'],
    ['name.toLowerCase()', 'name'],
    ['subject[0] ?? null', "subject[0] ?? ''"],
    ['only.size > 0 ? only.has(name) : !isIgnored(name)', '!isIgnored(name)'],
    ['`${text.length}:${text},`', 'text'],
    ['...managedIgnoredUrlParams]', ']'],
    ['secret ? shownSecret(value) : value', 'value'],
  ]),
  ...of(`${engine}/phases/origin.ts`, evaluation, [
    ['port ?? server.port', 'server.port'],
    ['server.requestHostname ?? balancer?.requestHostname ?? host', 'balancer?.requestHostname ?? host'],
    ["query === '' ? path : `${path}?${query}`", '`${path}?${query}`'],
    ["basicAuthRequired === 'true' ? ['Authorization'] : []", '[]'],
  ]),
  ...of(`${engine}/phases/response.ts`, evaluation, [
    ["and(settings.isOn('enabled'), settings.isOn('debugHeadersEnabled'))", "settings.isOn('debugHeadersEnabled')"],
    ["if (strips === 'false') return [];", ''],
    ["enabled === 'false' || seconds === null", 'seconds === null'],
  ]),
  ...of(`${engine}/settings/effective-settings.ts`, evaluation, [
    ['[...overwritten, ...earlier]', 'earlier'],
    ['!possible.some((each) => isSameJson(each.value, value))', 'true'],
    ["holding === 0 || holding === written.possible.length ? triOf(holding > 0) : 'unknown'", 'triOf(holding > 0)'],
  ]),
  ...of(`${engine}/phases/basic-auth.ts`, evaluation, [['and(required, not(given))', 'required']]),
  ...of(`${engine}/phases/maintenance.ts`, evaluation, [
    [
      "and(settings.isOn('enabled'), settings.isOn('customPagesMaintenanceActive'))",
      "settings.isOn('customPagesMaintenanceActive')",
    ],
  ]),
  ...of(`${engine}/patterns/follow-sets.ts`, patterns, [
    ['((here << 1) | (before >>> 31))', '(here << 1)'],
    ['(before >>> (wordBits - bits))', '0'],
    ['length > 0 && length < wordBits', 'length < wordBits'],
    ['(moving >>> 1) >>> (wordBits - 1 - bits)', 'moving >>> (wordBits - bits)'],
  ]),
  ...of(`${engine}/patterns/bit-matcher.ts`, patterns, [
    ['matchesEmpty || holdsSome(current, accepts)', 'matchesEmpty'],
    ['.isMatch || holdsSome(current, this.#ending(wasWord))', '.isMatch'],
  ]),
  ...of(`${engine}/request/request-target.ts`, requests, [
    ["decoded.startsWith('/') ? removeDotSegments(decoded) : decoded", 'removeDotSegments(decoded)'],
    [' && !(hexDigit.test(character) && followsLonePercent(before))', ''],
    ['found.toUpperCase()', 'found'],
    ["else if (index === segments.length - 1) result.push('');", ''],
  ]),
  ...of('packages/core/src/zones/merging/merge-documents.ts', merging, [
    ['isSame(yours, base) || isSame(yours, theirs)', 'isSame(yours, base)'],
    ["isSame(theirs, base) ? 'yours' : undefined", "'yours'"],
    ['.filter((id) => orders.every((ids) => ids.has(id)))', ''],
    ['next === undefined ? result.length : result.indexOf(next)', 'result.length'],
    ['.toReversed()', ''],
    ["sideOf(resolution, path) ?? 'theirs'", "'theirs'"],
    ["Object.hasOwn(resolution, path) ? resolution[path] : resolution['*']", 'resolution[path]'],
    ["member === 'settingsOverrides' ? mergedMembers : undefined", 'undefined'],
    ['.filter((id) => Object.hasOwn(rulesById, id))', ''],
    ['if (others.length > 0)', 'if (false)'],
  ]),
];
