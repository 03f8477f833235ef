import type { SettingKey } from './setting-table.ts';

/** Two settings that must be consistent. */
export interface SettingPair {
  readonly keys: readonly [SettingKey, SettingKey];
  /** `ascending`: the first is at most the second; `disjoint`: they share no header name. */
  readonly kind: 'ascending' | 'disjoint';
}

/** All pairs; checked on writes and for rules that match together. */
export const settingPairs = [
  { keys: ['imageOptimizationJpegQualityMin', 'imageOptimizationJpegQualityTarget'], kind: 'ascending' },
  { keys: ['imageOptimizationJpegQualityTarget', 'imageOptimizationJpegQualityMax'], kind: 'ascending' },
  { keys: ['imageOptimizationPngQualityMin', 'imageOptimizationPngQualityMax'], kind: 'ascending' },
  { keys: ['headersResponseRemove', 'headersResponseSet'], kind: 'disjoint' },
  { keys: ['headersResponseSet', 'headersResponseAdd'], kind: 'disjoint' },
] as const satisfies readonly SettingPair[];

/** Whether the values violate their pair. */
export function contradicts({ kind }: SettingPair, first: unknown, second: unknown): boolean {
  if (kind === 'ascending') return typeof first === 'number' && typeof second === 'number' && first > second;
  const names = new Set(headerNames(first));
  return headerNames(second).some((name) => names.has(name));
}

/** The names in a list of names or header operations, in lower case. */
const headerNames = (list: unknown): readonly string[] =>
  Array.isArray(list)
    ? list.map((entry: string | { readonly name: string }) =>
        (typeof entry === 'string' ? entry : entry.name).toLowerCase(),
      )
    : [];
