/** What keeps the service from starting: the variable at fault and what is wrong with it. Never holds a secret. */
export interface ConfigMistake {
  readonly variable: string;
  readonly problem: string;
}
