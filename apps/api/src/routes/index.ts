import type { Route } from '../http/route.ts';
import { type AccountUseCases, accountRoutes } from './accounts.ts';
import { type ConfigurationRuleUseCases, configurationRuleRoutes } from './configuration-rules.ts';
import { type SessionUseCases, sessionRoutes } from './sessions.ts';
import { type ZoneUseCases, zoneRoutes } from './zones.ts';

export type UseCases = AccountUseCases & SessionUseCases & ZoneUseCases & ConfigurationRuleUseCases;

/** Every route of the API: the table that the app serves and that tests walk. */
export const routeTable = (useCases: UseCases): readonly Route[] => [
  ...sessionRoutes(useCases),
  ...accountRoutes(useCases),
  ...zoneRoutes(useCases),
  ...configurationRuleRoutes(useCases),
];
