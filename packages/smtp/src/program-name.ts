/** The first of these that a user agent mentions names the browser; others call themselves by the later ones too. */
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
 * The program and system that a `User-Agent` header speaks of, such as `Firefox on Windows`. In our words only: a client
 * can send any text, and must not be able to write to the owner of an account in a mail of ours.
 */
export function programName(userAgent: string | undefined): string {
  const named = (names: typeof browsers) => names.find(([mention]) => userAgent?.includes(mention))?.[1];
  const [browser, system] = [named(browsers), named(systems)];
  if (browser === undefined) return system === undefined ? 'an unknown program' : `an unknown program on ${system}`;
  return system === undefined ? browser : `${browser} on ${system}`;
}
