import type { SettingKey } from './setting-table.ts';

/** Two settings that must fit together. */
export interface SettingPair {
  readonly keys: readonly [SettingKey, SettingKey];
  /** The first is at most the second, or no header name is in both. */
  readonly kind: 'ascending' | 'disjoint';
}

/** Every pair: writes are checked for them, and so are rules that match together. */
export const settingPairs = [
  { keys: ['imageOptimizationJpegQualityMin', 'imageOptimizationJpegQualityTarget'], kind: 'ascending' },
  { keys: ['imageOptimizationJpegQualityTarget', 'imageOptimizationJpegQualityMax'], kind: 'ascending' },
  { keys: ['imageOptimizationPngQualityMin', 'imageOptimizationPngQualityMax'], kind: 'ascending' },
  { keys: ['headersResponseRemove', 'headersResponseSet'], kind: 'disjoint' },
  { keys: ['headersResponseSet', 'headersResponseAdd'], kind: 'disjoint' },
] as const satisfies readonly SettingPair[];

/** Whether values of the two settings break their pair. */
export function contradicts({ kind }: SettingPair, first: unknown, second: unknown): boolean {
  if (kind === 'ascending') return typeof first === 'number' && typeof second === 'number' && first > second;
  const names = new Set(headerNames(first));
  return headerNames(second).some((name) => names.has(name));
}

/** The names in a list of names or of header operations, in lower case. */
const headerNames = (list: unknown): readonly string[] =>
  Array.isArray(list)
    ? list.map((entry: string | { readonly name: string }) =>
        (typeof entry === 'string' ? entry : entry.name).toLowerCase(),
      )
    : [];
