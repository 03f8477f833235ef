/** More than one of what a word names. */
export const plural = (word: string): string => (word.endsWith('y') ? `${word.slice(0, -1)}ies` : `${word}s`);

/** The word with its first letter in upper case. */
export const capitalized = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

/** `ban-token` as `banToken`. */
export const camelCase = (text: string): string =>
  text
    .split('-')
    .map((word, index) => (index === 0 ? word : capitalized(word)))
    .join('');
