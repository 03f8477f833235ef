export const ruleNotFound = () => ({ type: 'RuleNotFound' }) as const;
export type RuleNotFound = ReturnType<typeof ruleNotFound>;

/** Another rule of the zone has this name. */
export const ruleNameTaken = () => ({ type: 'RuleNameTaken' }) as const;
export type RuleNameTaken = ReturnType<typeof ruleNameTaken>;

/** Another rule of the zone has the same set of conditions. */
export const ruleConditionsTaken = () => ({ type: 'RuleConditionsTaken' }) as const;
export type RuleConditionsTaken = ReturnType<typeof ruleConditionsTaken>;
