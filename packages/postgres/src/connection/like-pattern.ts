/** A LIKE pattern for a substring, with wildcards escaped. */
export const substringPattern = (part: string): string => `%${part.replace(/[\\%_]/g, String.raw`\$&`)}%`;
