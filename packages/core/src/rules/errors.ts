/** The list has no rule of this id, though another list may. */
export const ruleNotFound = () => ({ type: 'RuleNotFound' }) as const;
export type RuleNotFound = ReturnType<typeof ruleNotFound>;
