/** The zone has no change set with this id. */
export const changeSetNotFound = () => ({ type: 'ChangeSetNotFound' }) as const;
export type ChangeSetNotFound = ReturnType<typeof changeSetNotFound>;

/** The change set is already applied or discarded. */
export const changeSetClosed = () => ({ type: 'ChangeSetClosed' }) as const;
export type ChangeSetClosed = ReturnType<typeof changeSetClosed>;

/** The texts of the zone's open change sets would be too large together (see `maxOpenBytes`). */
export const changeSetsTooLarge = () => ({ type: 'ChangeSetsTooLarge' }) as const;
export type ChangeSetsTooLarge = ReturnType<typeof changeSetsTooLarge>;

/** The zone has the maximum number of open change sets. */
export const tooManyChangeSets = () => ({ type: 'TooManyChangeSets' }) as const;
export type TooManyChangeSets = ReturnType<typeof tooManyChangeSets>;
