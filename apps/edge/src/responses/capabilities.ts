import type { SettingKey } from '@zonewright/engine';
import { loadMinifier } from './minifier.ts';

/** Settings that an edge without Varnish ignores. None of them protects anything. */
const ignored = ['processingEsi', 'processingSsi'] as const satisfies readonly SettingKey[];

/** Settings that this edge cannot act on: with `minifyHtml` where there is no minifier for the system. */
export const ignoredSettings = async (load = loadMinifier): Promise<readonly SettingKey[]> =>
  (await load()) === undefined ? ['minifyHtml', ...ignored] : ignored;
