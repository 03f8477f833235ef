/** The zone has no change set of this id. */
export const changeSetNotFound = () => ({ type: 'ChangeSetNotFound' }) as const;
export type ChangeSetNotFound = ReturnType<typeof changeSetNotFound>;

/** The change set is applied or discarded. */
export const changeSetClosed = () => ({ type: 'ChangeSetClosed' }) as const;
export type ChangeSetClosed = ReturnType<typeof changeSetClosed>;

/** The zone has as many open change sets as it can have. */
export const tooManyChangeSets = () => ({ type: 'TooManyChangeSets' }) as const;
export type TooManyChangeSets = ReturnType<typeof tooManyChangeSets>;
