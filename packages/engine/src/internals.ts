/**
 * What other packages of this repository build on: for `@zonewright/analysis`, the compiled form of conditions, patterns
 * and requests. Not for embedding: it may change with every version.
 */

export { canonicalPath } from './conditions/canonical-url.ts';
export { backendOf } from './configuration/backends.ts';
export { skipTargets } from './configuration/configuration.ts';
export { memoized } from './memoized.ts';
export { holdsByte, maxByte } from './patterns/byte-set.ts';
export { nfaOf } from './patterns/nfa.ts';
export { type Context, NfaSteps, type StateSet, startContext } from './patterns/nfa-steps.ts';
export { bytesOf, choiceNode } from './patterns/pattern-tree.ts';
export { canonicalHost } from './request/authority.ts';
export { isToken, lowerCased, utf8Length } from './request/bytes.ts';
export { cookiesOf } from './request/header-fields.ts';
export { isAmbiguousPath } from './request/request-target.ts';
export { leadsToOwnHost, withOwnHost } from './rewrites/own-host.ts';
export { parseTarget, rewrittenPath, type Template } from './rewrites/target.ts';
export { isPage, isSameJson } from './settings/effective-settings.ts';
export { contradicts } from './settings/setting-pairs.ts';
export { type SettingValue, settingKeys } from './settings/setting-table.ts';
