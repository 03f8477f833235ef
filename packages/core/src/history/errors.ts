/** The zone has no revision of this number. */
export const revisionNotFound = () => ({ type: 'RevisionNotFound' }) as const;
export type RevisionNotFound = ReturnType<typeof revisionNotFound>;
