/** Beginnings of our variables that other programs hardly use. */
const ownPrefixes = [
  'RATE_',
  'LIMIT_',
  'DATABASE_',
  'SMTP_',
  'TRUSTED_',
  'CORS_',
  'METRICS_',
  'AUDIT_',
  'HISTORY_',
  'KEYS_',
];

/** Letters that a misspelt name may have wrong, whatever it begins with; short names are too often close to one another. */
const fewLetters = 2;
const shortName = 8;

/**
 * Warnings about variables in the environment that nothing reads, although their names begin like those of our
 * variables or are almost the same: one line each, with the closest known name.
 */
export function misspeltVariables(
  env: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): string[] {
  const names = new Set(known);
  return Object.keys(env)
    .filter((name) => env[name] !== '' && !names.has(name))
    .flatMap((name) => {
      const { closest, distance } = closestTo(name, known);
      const isNear = distance <= fewLetters && name.length >= shortName;
      const isOurs = isNear || ownPrefixes.some((prefix) => name.startsWith(prefix));
      return isOurs ? [`${name}: is not a known variable, and has no effect; the closest is ${closest}`] : [];
    });
}

function closestTo(name: string, known: readonly string[]): { readonly closest: string; readonly distance: number } {
  return known
    .map((closest) => ({ closest, distance: editDistance(name, closest) }))
    .reduce((best, each) => (each.distance < best.distance ? each : best), { closest: '', distance: Infinity });
}

/** How many letters must be inserted, removed or replaced to get from one text to the other (Levenshtein distance). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [above, letter] of Array.from(from).entries()) {
    const next = [above + 1];
    for (const [left, other] of Array.from(to).entries()) {
      const replaced = (row[left] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[left + 1] ?? 0) + 1, (next[left] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
