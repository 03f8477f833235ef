import { type Config, loadConfig } from '@zonewright/configuration';

/** The configuration that variables of the environment make. */
export const configOf = (variables: Readonly<Record<string, string>>): Config =>
  loadConfig({ ...variables }).match(
    (config) => config,
    (mistakes) => {
      throw new Error(JSON.stringify(mistakes));
    },
  );

/** The limits of a service whose operator set none: for tests of limits. All others are far from any limit. */
export const usualLimits = (): Pick<Config, 'rateLimits' | 'rateLimitScale'> => {
  const { rateLimits, rateLimitScale } = configOf({});
  return { rateLimits, rateLimitScale };
};
