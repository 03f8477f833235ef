import type { SettingKey } from '@zonewright/engine';

/** Settings that an edge without Varnish ignores. None of them protects anything. */
export const ignoredSettings = ['processingEsi', 'processingSsi'] as const satisfies readonly SettingKey[];
