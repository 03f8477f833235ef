import type { PathNormalization, RewriteRule } from '@zonewright/engine';
import { canonicalPath, parseTarget, rewrittenPath } from '@zonewright/engine/internals';
import type { PartLiteral } from '../texts/part-literals.ts';

/** What is known about the path that a rewrite rule produces; undefined: nothing, as groups are inserted. */
export function pathAfter(
  { operator, sourcePattern, target }: RewriteRule,
  normalization: PathNormalization,
): PartLiteral | undefined {
  const { path } = parseTarget(target);
  if (path.some((part) => typeof part === 'number')) return undefined;
  const written = path.join('') === '' ? '/' : path.join('');
  if (operator !== 'starts_with') return { part: 'path', text: rewrittenPath(written, normalization), isWhole: true };
  if (!keepsBeginning(written, sourcePattern)) return undefined;
  const text = rewrittenPath(canonicalPath('starts_with', written) ?? '/', normalization);
  return { part: 'path', text, isWhole: false };
}

/** Whether appending text cannot turn the end of the target into a dot segment or a percent-triplet. */
function keepsBeginning(written: string, source: string): boolean {
  const isWhole = source.endsWith('/') || /[^/.%]$/.test(written);
  return isWhole && /^\/[A-Za-z0-9_/-]*$/.test(written) && !written.startsWith('//');
}
