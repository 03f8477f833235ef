/**
 * A configuration error that prevents the service from starting: the variable and the problem. Never contains a secret.
 */
export interface ConfigError {
  readonly variable: string;
  readonly problem: string;
}
