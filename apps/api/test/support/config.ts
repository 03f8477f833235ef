import { type Config, loadConfig } from '@zonewright/configuration';

/** The configuration for these environment variables. */
export const configOf = (variables: Readonly<Record<string, string>>): Config =>
  loadConfig({ ...variables }).match(
    (config) => config,
    (mistakes) => {
      throw new Error(JSON.stringify(mistakes));
    },
  );

/** The default limits, for tests of limits. All other services have limits far out of reach. */
export const defaultLimits = (): Pick<Config, 'rateLimits' | 'rateLimitScale'> => {
  const { rateLimits, rateLimitScale } = configOf({});
  return { rateLimits, rateLimitScale };
};
