/** The plural of an English noun. */
export const plural = (word: string): string => (/[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`);

/** Upper-cases the first letter. */
export const capitalized = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

/** Turns `ban-token` into `BanToken`. */
export const pascalCase = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map(capitalized)
    .join('');

/** Turns `BanToken` into `banToken`. */
export const uncapitalized = (word: string): string => `${word.charAt(0).toLowerCase()}${word.slice(1)}`;
