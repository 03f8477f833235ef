const programs = /** @type {const} */ ([
  ['Edge', /\bEdg/],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Headless)?Chrom(?:e|ium)\/|\bCriOS\//],
  ['Safari', /\bSafari\//],
]);

const systems = /** @type {const} */ ([
  ['Android', /Android/],
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X|Macintosh/],
  ['Linux', /Linux/],
]);

/**
 * The program of a request in words: “Firefox, Windows”. Others than browsers as they name themselves.
 * @param {string | undefined} userAgent
 */
export function programOf(userAgent) {
  if (userAgent === undefined) return 'Unknown program';
  const program = nameIn(programs, userAgent);
  if (program === undefined) return userAgent;
  return [program, nameIn(systems, userAgent)].filter((name) => name !== undefined).join(', ');
}

/**
 * @param {readonly (readonly [name: string, pattern: RegExp])[]} names
 * @param {string} text
 */
const nameIn = (names, text) => names.find(([, pattern]) => pattern.test(text))?.[0];
