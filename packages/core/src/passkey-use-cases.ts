import { addPasskey, beginPasskey } from './passkeys/add-passkey.ts';
import { listPasskeys } from './passkeys/list-passkeys.ts';
import { removePasskey } from './passkeys/remove-passkey.ts';
import { renamePasskey } from './passkeys/rename-passkey.ts';
import {
  beginPasskeyChallenge,
  beginPasskeyConfirmation,
  beginPasskeySignIn,
} from './sessions/begin-passkey-sign-in.ts';
import { signInByPasskey } from './sessions/sign-in-by-passkey.ts';

/** The use cases of passkeys, before their ports are known. */
export const passkeyUseCases = {
  beginPasskeySignIn,
  beginPasskeyChallenge,
  beginPasskeyConfirmation,
  signInByPasskey,
  beginPasskey,
  addPasskey,
  listPasskeys,
  renamePasskey,
  removePasskey,
};
