import { defaultSettings, type Evaluation, type SettingKey, type Settings } from '@zonewright/engine';

/** The effective value of a setting; that of a page is its size. */
export function effective<K extends SettingKey>({ settings }: Evaluation, key: K): Settings[K] {
  const answer = settings?.[key];
  // An evaluation shows each value under its key. With complete facts there is exactly one.
  return answer !== undefined && 'value' in answer ? (answer.value as Settings[K]) : defaultSettings[key];
}
