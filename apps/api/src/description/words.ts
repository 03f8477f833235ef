/** More than one of what a word names. */
export const plural = (word: string): string => (word.endsWith('y') ? `${word.slice(0, -1)}ies` : `${word}s`);

/** The word with its first letter in upper case. */
export const capitalized = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

/** `ban-token` as `BanToken`. */
export const pascalCase = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map(capitalized)
    .join('');

/** The word with its first letter in lower case; `BanToken` as `banToken`. */
export const uncapitalized = (word: string): string => `${word.charAt(0).toLowerCase()}${word.slice(1)}`;
