/** All spellings of the logic in lower case, with their meaning. */
const logics = { and: 'and', all: 'and', or: 'or', any: 'or' } as const;

/** Whether all conditions must hold or any of them. */
export type Logic = (typeof logics)[keyof typeof logics];

const isLogic = (folded: string): folded is keyof typeof logics => Object.hasOwn(logics, folded);

/** The spellings of the logic, in lower case. */
export const logicSpellings: readonly string[] = Object.keys(logics);

/** The logic that a spelling means, ignoring case. */
export function logicOf(spelling: string): Logic | undefined {
  const folded = spelling.toLowerCase();
  return isLogic(folded) ? logics[folded] : undefined;
}
