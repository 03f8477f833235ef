/** The first of these in a user agent names the browser; later ones are also claimed by other browsers. */
const browsers: readonly (readonly [mention: string, name: string])[] = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
  ['curl/', 'curl'],
];
const systems: readonly (readonly [mention: string, name: string])[] = [
  ['Windows', 'Windows'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
];

/**
 * The program and system in a `User-Agent` header, such as `Firefox on Windows`. Built from our own words: clients can
 * send any text, which must not end up in our mails.
 */
export function programName(userAgent: string | undefined): string {
  const named = (names: typeof browsers) => names.find(([mention]) => userAgent?.includes(mention))?.[1];
  const [browser, system] = [named(browsers), named(systems)];
  if (browser === undefined) return system === undefined ? 'an unknown program' : `an unknown program on ${system}`;
  return system === undefined ? browser : `${browser} on ${system}`;
}
