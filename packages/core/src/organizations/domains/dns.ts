import type { ResultAsync } from 'neverthrow';

/** Why DNS has no texts of a name. */
export const noTexts = (reason: 'noRecord' | 'noSuchName' | 'failed') => ({ type: 'NoTexts', reason }) as const;
export type NoTexts = ReturnType<typeof noTexts>;

/** The Domain Name System as resolvers see it now: nothing is remembered between two calls. */
export interface Dns {
  /** The texts of the TXT records of a name, each with its parts joined (RFC 1035 section 3.3.14); at least one. */
  texts(name: string): ResultAsync<readonly string[], NoTexts>;
}
