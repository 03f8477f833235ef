import { failureOf, isProblem } from '../api.js';
import { element } from '../element.js';
import { formOf, onPress, onSubmit } from '../form.js';
import { byId } from '../page.js';
import { answerWithPasskey, hasPasskeys } from '../passkey.js';
import { ask, sendWithCookies } from '../session.js';

/** @typedef {import('../api.js').Answer} Answer */

const notConfirmed = 'Nothing has changed, because you have not confirmed that it is you.';
const confirmed = 'confirmed';

const dialog = /** @type {HTMLDialogElement} */ (byId('confirm'));
const forms = /** @type {const} */ ({
  password: 'confirm-password-form',
  code: 'confirm-code-form',
  passkey: 'confirm-passkey-form',
});

/**
 * Sends a request that needs a confirmed session: asks for a confirmation if there has been none lately.
 * @param {string} method
 * @param {string} path Below `/api/`.
 * @param {object} [body]
 * @returns {Promise<Answer>}
 */
export async function askConfirmed(method, path, body) {
  const answer = await ask(method, path, body);
  if (!isProblem(answer, 'confirmation-required')) return answer;
  if (await isStillYou(answer.body.methods)) return ask(method, path, body);
  return { ...answer, body: { ...answer.body, detail: notConfirmed } };
}

/**
 * Opens the dialog with the ways of this account; resolves when it closes.
 * @param {readonly string[]} methods
 * @returns {Promise<boolean>}
 */
async function isStillYou(methods) {
  for (const [method, form] of Object.entries(forms)) {
    formOf(form).reset();
    formOf(form).hidden = !methods.includes(method) || (method === 'passkey' && !hasPasskeys());
  }
  byId('confirm-providers').hidden = !methods.includes('provider');
  if (methods.includes('provider')) await offerProviders();
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === confirmed), { once: true });
  });
}

/** An account without password, passkey and code confirms by signing in again. */
async function offerProviders() {
  const { ok, body } = await sendWithCookies('GET', 'users/me/providers');
  if (!ok) return;
  const query = new URLSearchParams({ returnTo: location.pathname });
  const links = /** @type {{ provider: string, name: string }[]} */ (body).map(({ provider, name }) => {
    const href = `api/auth/providers/${provider}/start?${query}`;
    return element('a', { class: 'button second', href }, `Sign in with ${name} again`);
  });
  byId('confirm-links').replaceChildren(...links);
}

/** @param {Answer} answer */
async function settle(answer) {
  if (answer.ok) return dialog.close(confirmed);
  const isWrong = isProblem(answer, 'invalid-credentials') || isProblem(answer, 'invalid-verification-code');
  return isWrong ? { message: 'That is not right. Please try again.', fields: {} } : failureOf(answer);
}

onSubmit(forms.password, async ({ password }) => settle(await ask('POST', 'auth/confirm', { password })));
onSubmit(forms.code, async ({ code }) => settle(await ask('POST', 'auth/confirm', { code })));
onSubmit(forms.passkey, () => answerWithPasskey({ options: 'auth/confirm/options', path: 'auth/confirm' }, settle));
onPress(byId('confirm-cancel'), () => dialog.close());
