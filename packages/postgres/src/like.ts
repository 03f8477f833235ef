/** A LIKE pattern that finds `part` anywhere, its wildcards taken literally. */
export const containing = (part: string): string => `%${part.replace(/[\\%_]/g, String.raw`\$&`)}%`;
