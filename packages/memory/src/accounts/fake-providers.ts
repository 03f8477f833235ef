import {
  type Attestation,
  attestationRefused,
  type FlowSecrets,
  type NoAttestation,
  ProviderId,
  type SealedFlows,
  type SignInFlow,
  type SignInProvider,
  type SignInProviders,
} from '@zonewright/core';
import { errAsync, okAsync, type ResultAsync } from 'neverthrow';

/** Providers that attest whoever their test says, for tests of what follows. */
export interface ScriptedProviders extends SignInProviders {
  /** A code that can be redeemed once, for this answer. */
  codeFor(answer: Partial<Attestation> | NoAttestation): string;
}

/** A provider without restrictions. */
export const aProvider = (id: string, changes: Partial<SignInProvider> = {}): SignInProvider => ({
  id: ProviderId.parse(id),
  name: id.toUpperCase(),
  domains: undefined,
  redirectUris: [],
  ...changes,
});

/** Providers without a network: a code is an answer. */
export function scriptedProviders(all: readonly SignInProvider[] = [aProvider('corp')]): ScriptedProviders {
  const answers = new Map<string, Partial<Attestation> | NoAttestation>();
  const redeem = (provider: ProviderId, code = ''): ResultAsync<Attestation, NoAttestation> => {
    const answer = answers.get(code);
    answers.delete(code);
    if (answer === undefined) return errAsync(attestationRefused('token: invalid_grant'));
    if ('type' in answer) return errAsync(answer);
    const issuer = `https://${provider}.example`;
    return okAsync({ issuer, subject: 'ada', email: undefined, isMultiFactor: false, ...answer });
  };
  return {
    all,
    authorizationUrl: (provider, { state, nonce }: FlowSecrets) =>
      okAsync(`https://${provider}.example/authorize?state=${state}&nonce=${nonce}`),
    attest: (provider, { code }) => redeem(provider, code),
    redeem: (provider, { code }) => redeem(provider, code),
    codeFor: (answer) => {
      const code = `code ${answers.size + 1} ${Math.random()}`;
      answers.set(code, answer);
      return code;
    },
  };
}

/** Flows in plain text, which never expire. */
export const plainSealedFlows = (): SealedFlows => ({
  seal: (flow) => JSON.stringify(flow),
  open: (text) => {
    try {
      // It is what was sealed, unless the test made it up.
      return JSON.parse(text) as SignInFlow;
    } catch {
      return undefined;
    }
  },
});
