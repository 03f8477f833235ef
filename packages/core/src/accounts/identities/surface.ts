/** What others may use of identities at providers. */

export type { CompletedFlow, FlowReturn } from './complete-flow.ts';
export * from './errors.ts';
export * from './flow.ts';
export * from './identity.ts';
export { noProviders } from './no-providers.ts';
export type { NamedIdentity } from './own-identities.ts';
export type * from './ports.ts';
export type { StartedFlow } from './start-flow.ts';
