/** The public surface of the adapter for passkeys: nothing else can be imported from outside. */
export type { RelyingParty } from './relying-party.ts';
export { webAuthnCeremonies } from './web-authn-ceremonies.ts';
