import { randomBytes } from 'node:crypto';
import { type FlowSecrets, ProviderId } from '@zonewright/core';
import type { ResultAsync } from 'neverthrow';
import { federation, type ProviderSettings } from '../../src/index.ts';

/** The provider of the tests. */
export const corp = ProviderId.parse('corp');

const secret = () => randomBytes(32).toString('base64url');

/** New secrets of a flow. */
export const someSecrets = (): FlowSecrets => ({ state: secret(), nonce: secret(), codeVerifier: secret() });

/** Where providers send browsers back to. */
export const callbackUrl = (id: string): string => `http://localhost:3000/api/auth/providers/${id}/callback`;

/** A federation with one provider, with a clock that the test moves. */
export function federated(settings: ProviderSettings, timeoutMilliseconds = 2_000) {
  let now = 0;
  const providers = federation([settings], { callbackUrl, timeoutMilliseconds, clock: () => now });
  return {
    ...providers,
    pass: (seconds: number) => {
      now += seconds * 1000;
    },
  };
}

/** The value; rejects for an error. */
export async function valueOf<T>(result: ResultAsync<T, unknown>): Promise<T> {
  const settled = await result;
  if (settled.isErr()) throw new Error(JSON.stringify(settled.error));
  return settled.value;
}

/** The error; rejects for a value. */
export async function errorOf<E>(result: ResultAsync<unknown, E>): Promise<E> {
  const settled = await result;
  if (settled.isOk()) throw new Error(`Expected an error, got ${JSON.stringify(settled.value)}`);
  return settled.error;
}
