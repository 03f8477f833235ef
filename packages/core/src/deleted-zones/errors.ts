/** The organization has no deleted zone with this id: it never existed, was restored or has expired. */
export const deletedZoneNotFound = () => ({ type: 'DeletedZoneNotFound' }) as const;
export type DeletedZoneNotFound = ReturnType<typeof deletedZoneNotFound>;

/** Another rule already has the id of a rule of the deleted zone. */
export const ruleIdTaken = () => ({ type: 'RuleIdTaken' }) as const;
export type RuleIdTaken = ReturnType<typeof ruleIdTaken>;
