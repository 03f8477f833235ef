/** The public surface of the federation: nothing else can be imported from outside. */
export { federation } from './federation.ts';
export type { FederationOptions, ProviderSettings } from './settings.ts';
