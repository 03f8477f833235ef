import { failureOf, isProblem } from './api.js';
import { ask, sendWithCookies } from './session.js';

/** @typedef {import('./api.js').Answer} Answer */
/** @typedef {import('./api.js').Failure} Failure */

const notUsed = 'No passkey was used. Try again, or choose another way.';
const notAccepted = 'This passkey was not accepted. Try again, or choose another way.';

/** Whether the browser has passkeys. */
export const hasPasskeys = () =>
  'PublicKeyCredential' in globalThis && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

/** Whether the browser offers passkeys where it fills in addresses. */
export const fillsInPasskeys = async () => hasPasskeys() && PublicKeyCredential.isConditionalMediationAvailable();

/**
 * Asks the browser for the signature of a passkey; undefined if the browser only offered it.
 * @param {string} path Where the options are, below `/api/`.
 * @param {CredentialRequestOptions} [how]
 * @returns {Promise<object | Failure | undefined>} The response for the API has an `id`.
 */
async function signatureOf(path, how = {}) {
  // Nobody has asked for what the browser offers by itself.
  const isOffer = how.mediation === 'conditional';
  const answer = await ask('POST', path);
  if (!answer.ok) return isOffer ? undefined : failureOf(answer);
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(answer.body);
    const signed = await navigator.credentials.get({ ...how, publicKey });
    return /** @type {PublicKeyCredential} */ (signed).toJSON();
  } catch {
    return isOffer ? undefined : { message: notUsed, fields: {} };
  }
}

/**
 * Answers the API with a passkey; resolves to why that failed, if it was asked for.
 * @param {{ options: string, path: string, how?: CredentialRequestOptions }} where Paths below `/api/`.
 * @param {(answer: Answer) => Promise<Failure | void>} done
 * @returns {Promise<Failure | void>}
 */
export async function answerWithPasskey({ options, path, how }, done) {
  const response = await signatureOf(options, how);
  if (response === undefined || 'message' in response) return response;
  const answer = await sendWithCookies('POST', path, { response });
  if (isProblem(answer, 'passkey-refused')) return { message: notAccepted, fields: {} };
  return done(answer);
}

/**
 * Makes a passkey of the browser from options of the API.
 * @param {object} options
 * @returns {Promise<object | Failure>} The response for the API has an `id`.
 */
export async function newPasskey(options) {
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
      /** @type {PublicKeyCredentialCreationOptionsJSON} */ (options),
    );
    const made = await navigator.credentials.create({ publicKey });
    return /** @type {PublicKeyCredential} */ (made).toJSON();
  } catch (error) {
    const isKnown = error instanceof DOMException && error.name === 'InvalidStateError';
    return {
      message: isKnown ? 'This device has a passkey for your account already.' : 'No passkey was made.',
      fields: {},
    };
  }
}
