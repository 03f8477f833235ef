import { okAsync } from 'neverthrow';
import type { SignInProviders } from './ports.ts';

const impossible = (): never => {
  throw new Error('There is no provider.');
};

/** The providers of an installation without any. */
export const noProviders: SignInProviders = {
  all: [],
  authorizationUrl: () => okAsync(undefined).andThen(impossible),
  attest: () => okAsync(undefined).andThen(impossible),
  redeem: () => okAsync(undefined).andThen(impossible),
};
