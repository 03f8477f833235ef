import { findAccount, readProfile, readUser } from './accounts/read-accounts.ts';
import { updateProfile } from './accounts/update-profile.ts';
import { confirmAddressChange, requestAddressChange, undoAddressChange } from './address-changes/change-address.ts';
import { createApiToken } from './api-tokens/create-api-token.ts';
import { listApiTokens, revokeApiToken } from './api-tokens/own-api-tokens.ts';
import { completeFlow } from './identities/complete-flow.ts';
import { listIdentities, unlinkIdentity } from './identities/own-identities.ts';
import { redeemCode } from './identities/redeem-code.ts';
import { listProviders, startLink, startSignIn } from './identities/start-flow.ts';
import { requestMail } from './mailing/request-mail.ts';
import { addPasskey, beginPasskey } from './passkeys/add-passkey.ts';
import { listPasskeys, removePasskey, renamePasskey } from './passkeys/own-passkeys.ts';
import { changePassword } from './passwords/change-password.ts';
import { resetPassword } from './passwords/reset-password.ts';
import { register } from './registration/register.ts';
import { verifyEmail } from './registration/verify-email.ts';
import { authenticate, checkCredential } from './sessions/authenticate.ts';
import { logOut } from './sessions/log-out.ts';
import { endOtherSessions, endSession, listSessions } from './sessions/own-sessions.ts';
import { refreshSession } from './sessions/refresh-session.ts';
import {
  beginPasskeyChallenge,
  beginPasskeyConfirmation,
  beginPasskeySignIn,
} from './sign-in/begin-passkey-sign-in.ts';
import { completeTwoFactor } from './sign-in/complete-two-factor.ts';
import { confirmSession } from './sign-in/confirm-session.ts';
import { findChallengedUser } from './sign-in/find-challenged-user.ts';
import { logIn } from './sign-in/log-in.ts';
import { signInByPasskey } from './sign-in/sign-in-by-passkey.ts';
import { disableTwoFactor } from './two-factor/disable-two-factor.ts';
import { replaceRecoveryCodes } from './two-factor/replace-recovery-codes.ts';
import { reportSecondFactorLock } from './two-factor/report-second-factor-lock.ts';
import { beginSetup, confirmSetup } from './two-factor/set-up.ts';

/** The factories of the use cases of accounts, and of the ways to sign in. */
export const accountUseCases = {
  register,
  verifyEmail,
  requestMail,
  resetPassword,
  readProfile,
  updateProfile,
  changePassword,
  requestAddressChange,
  confirmAddressChange,
  undoAddressChange,
  readUser,
  authenticate,
  checkCredential,
  logIn,
  completeTwoFactor,
  confirmSession,
  findAccount,
  findChallengedUser,
  refreshSession,
  logOut,
  listSessions,
  endSession,
  endOtherSessions,
  listProviders,
  startSignIn,
  completeFlow,
  redeemCode,
  listIdentities,
  startLink,
  unlinkIdentity,
  beginSetup,
  confirmSetup,
  disableTwoFactor,
  replaceRecoveryCodes,
  reportSecondFactorLock,
  beginPasskeySignIn,
  beginPasskeyChallenge,
  beginPasskeyConfirmation,
  signInByPasskey,
  beginPasskey,
  addPasskey,
  listPasskeys,
  renamePasskey,
  removePasskey,
  createApiToken,
  listApiTokens,
  revokeApiToken,
};
