/** The organization has no deleted zone of this id: there was none, or it was restored, or its time is over. */
export const deletedZoneNotFound = () => ({ type: 'DeletedZoneNotFound' }) as const;
export type DeletedZoneNotFound = ReturnType<typeof deletedZoneNotFound>;

/** Another rule has the id that a rule of the deleted zone had. */
export const ruleIdTaken = () => ({ type: 'RuleIdTaken' }) as const;
export type RuleIdTaken = ReturnType<typeof ruleIdTaken>;
