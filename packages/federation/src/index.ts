/** The public surface of the federation: nothing else can be imported from outside. */
export { federation } from './federation.ts';
export { providerProblems } from './provider-problems.ts';
export type { FederationOptions, ProviderSettings } from './settings.ts';
