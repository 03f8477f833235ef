/** The zone has no revision with this number. */
export const revisionNotFound = () => ({ type: 'RevisionNotFound' }) as const;
export type RevisionNotFound = ReturnType<typeof revisionNotFound>;
