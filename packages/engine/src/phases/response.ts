import { and, not, type Tri } from '../conditions/tri.ts';
import { memoized } from '../memoized.ts';
import type { EffectiveSettings } from '../settings/effective-settings.ts';
import type { HeaderOperation } from '../settings/setting-table.ts';

/**
 * Changes to responses of cache and origin, applied in the order of the members. What depends on a setting with several
 * possible values is absent.
 */
export interface ResponseAnswer {
  /** Cache-tag headers to remove. */
  readonly strip?: readonly string[];
  /** Replaces `Cache-Control`, unless the response is not for everybody; null: unchanged. */
  readonly cacheControl?: string | null;
  readonly remove?: readonly string[];
  readonly set?: readonly HeaderOperation[];
  readonly add?: readonly HeaderOperation[];
  readonly debug: Tri;
}

/** The changes to responses. Those to requests with credentials that the origin gets are not for everybody. */
export const responseAnswer = (settings: EffectiveSettings, passesAuthorization: Tri): ResponseAnswer =>
  answers[passesAuthorization](settings);

/** Requests with the same settings share one answer. */
const answersBy = (passesAuthorization: Tri) =>
  memoized((settings: EffectiveSettings): ResponseAnswer => made(settings, passesAuthorization));
const answers: Readonly<Record<Tri, ReturnType<typeof answersBy>>> = {
  true: answersBy('true'),
  false: answersBy('false'),
  unknown: answersBy('unknown'),
};

function made(settings: EffectiveSettings, passesAuthorization: Tri): ResponseAnswer {
  const strip = stripped(settings);
  const replaced = cacheControl(settings, passesAuthorization);
  const remove = settings.one('headersResponseRemove');
  const set = settings.one('headersResponseSet');
  const add = settings.one('headersResponseAdd');
  return {
    ...(strip === undefined ? {} : { strip }),
    ...(replaced === undefined ? {} : { cacheControl: replaced }),
    ...(remove === undefined ? {} : { remove }),
    ...(set === undefined ? {} : { set }),
    ...(add === undefined ? {} : { add }),
    debug: and(settings.isOn('enabled'), settings.isOn('debugHeadersEnabled')),
  };
}

function stripped(settings: EffectiveSettings): readonly string[] | undefined {
  const strips = and(settings.isOn('enabled'), settings.isOn('stripCacheTagHeaders'));
  if (strips === 'false') return [];
  return strips === 'true' ? settings.one('cachingCustomCacheTagHeaders')?.map(({ header }) => header) : undefined;
}

function cacheControl(settings: EffectiveSettings, passesAuthorization: Tri): string | null | undefined {
  const replaces = and(settings.isOn('enabled'), not(passesAuthorization));
  const seconds = settings.one('cacheControlPublicMaxAgeOverride');
  if (replaces === 'false' || seconds === null) return null;
  return replaces === 'true' && seconds !== undefined ? `public, max-age=${seconds}` : undefined;
}
