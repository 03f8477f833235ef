import { attestationRefused, type NoAttestation, providerUnavailable, signInDeclined } from '@zonewright/core';
import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';

/** What is wrong with the answer of a provider, in our words. */
export class Refusal extends Error {}

/** The provider cannot be asked at the moment, in our words. */
export class Absence extends Error {}

/** An error code of the protocol; anything else that a stranger may have put into an address is not logged. */
const codeOf = (error: string): string => (/^[a-z_]{1,60}$/.test(error) ? error : 'unknown error');

/** Turns what the library throws into an error of the domain. A defect of ours stays a rejection. */
export function refusalOf(failure: unknown): NoAttestation {
  if (failure instanceof AuthorizationResponseError) return signInDeclined(codeOf(failure.error));
  if (failure instanceof ResponseBodyError) {
    const { error, status } = failure;
    return status >= 500 ? providerUnavailable(`status ${status}`) : attestationRefused(`token: ${codeOf(error)}`);
  }
  if (failure instanceof Refusal) return attestationRefused(failure.message);
  const reason = unavailability(failure);
  if (reason !== undefined) return providerUnavailable(reason);
  if (failure instanceof ClientError) return attestationRefused(describe(failure));
  throw failure;
}

/** Why the provider could not be asked; undefined if it has answered. */
export function unavailability(failure: unknown): string | undefined {
  if (!(failure instanceof Error)) return undefined;
  if (failure instanceof Absence) return failure.message;
  if (failure instanceof ClientError && failure.code === 'OAUTH_TIMEOUT') return 'no answer in time';
  const { cause } = failure;
  if (cause instanceof Response && cause.status >= 500) return `status ${cause.status}`;
  return failure instanceof ClientError ? unavailability(cause) : networkError(failure);
}

function networkError({ name, message, cause }: Error): string | undefined {
  if (name !== 'TypeError' || message !== 'fetch failed') return undefined;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : 'not reachable';
}

/** The library's words, with the claim that it did not like. They contain no values. */
function describe({ message, cause }: ClientError): string {
  return cause instanceof Error && cause.message !== message ? `${message}: ${cause.message}` : message;
}
