import type { RewriteRule } from '../configuration/configuration.ts';
import type { ParsedPattern } from '../patterns/pattern.ts';
import { groupsInRepetitions, repeatsEmptyText } from '../patterns/pattern-tree.ts';
import { withLiteralHost } from './own-host.ts';

/** Why a rewrite rule is not applied: a problem of its target, or a pattern that engines interpret differently. */
export type Unsoundness =
  | 'target.form'
  | 'target.otherHost'
  | 'target.reference'
  | 'target.reference.host'
  | 'target.reference.repeated'
  | 'sourcePattern.emptyRepetition';

const onePathSlash = /^\/(?!\/)/;
const originPart = /^https?:\/\/[^/?#]*/;
const plainOrigin = /^https?:\/\/[A-Za-z0-9._-]+(?::[0-9]{1,5})?$/;
const referenceOrBackslash = /[$\\]/;
const loosePercent = /%(?![0-9A-Fa-f]{2})/;
const references = /\$(.?)/g;

/** Why a rule is not applied; undefined if it is. `pattern` is its parsed source, if that is a pattern. */
export function unsoundness(
  { type, target: written }: Pick<RewriteRule, 'type' | 'target'>,
  pattern: Pick<ParsedPattern, 'tree' | 'captureGroups'> | undefined,
): Unsoundness | undefined {
  const target = withLiteralHost(written);
  const form = formProblem(type, target);
  if (form !== undefined) return form;
  const signs = [...target.matchAll(references)].map(([, sign = '']) => sign);
  const groups = signs.filter((sign) => sign !== '$').map(Number);
  // Written so that it also rejects NaN.
  if (!groups.every((group) => group >= 1 && group <= (pattern?.captureGroups ?? 0))) return 'target.reference';
  if (pattern === undefined || groups.length === 0) return undefined;
  const repeated = groupsInRepetitions(pattern);
  if (groups.some((group) => repeated.has(group))) return 'target.reference.repeated';
  return repeatsEmptyText(pattern) ? 'sourcePattern.emptyRepetition' : undefined;
}

function formProblem(type: RewriteRule['type'], target: string): Unsoundness | undefined {
  if (loosePercent.test(target)) return 'target.form';
  if (onePathSlash.test(target)) return type === 'rewrite' && target.includes('#') ? 'target.form' : undefined;
  const [origin] = originPart.exec(target) ?? [];
  if (origin === undefined) return 'target.form';
  if (type === 'rewrite') return 'target.otherHost';
  if (referenceOrBackslash.test(origin)) return 'target.reference.host';
  return plainOrigin.test(origin) ? undefined : 'target.form';
}
