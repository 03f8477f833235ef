/** The list has no rule of this id, though another list may. */
export const ruleNotFound = () => ({ type: 'RuleNotFound' }) as const;
export type RuleNotFound = ReturnType<typeof ruleNotFound>;

/** Another rule of the list has this name. */
export const ruleNameTaken = () => ({ type: 'RuleNameTaken' }) as const;
export type RuleNameTaken = ReturnType<typeof ruleNameTaken>;

/** Another rule of the list has the same unique key: the same conditions, or the same source. */
export const ruleKeyTaken = () => ({ type: 'RuleKeyTaken' }) as const;
export type RuleKeyTaken = ReturnType<typeof ruleKeyTaken>;
