/** The list has no rule with this id. */
export const ruleNotFound = () => ({ type: 'RuleNotFound' }) as const;
export type RuleNotFound = ReturnType<typeof ruleNotFound>;
