import { type Config, loadConfig } from '@zonewright/configuration';

/** The configuration for these environment variables. */
export const configOf = (variables: Readonly<Record<string, string>>): Config =>
  loadConfig({ ...variables }).match(
    (config) => config,
    (errors) => {
      throw new Error(JSON.stringify(errors));
    },
  );

/** The default limits, for tests of limits. All other services have limits far out of reach. */
export const defaultLimits = (): Pick<Config, 'rateLimits' | 'rateLimitScale'> => {
  const { rateLimits, rateLimitScale } = configOf({});
  return { rateLimits, rateLimitScale };
};
