import { failureOf, isProblem } from '../api.js';
import { element } from '../element.js';
import { announce, formOf, onPress, onSubmit } from '../form.js';
import { byId } from '../page.js';
import { ask } from '../session.js';
import { showSessions } from './sessions.js';

/** @typedef {import('../api.js').Answer} Answer */

const steps = ['two-factor-off', 'two-factor-setup', 'two-factor-on', 'recovery'];

/** @param {import('./profile.d.ts').Profile} profile */
export function offerTwoFactor({ twoFactorEnabled, twoFactorEnforced }) {
  byId('two-factor-enforced').hidden = !twoFactorEnforced;
  showStep(twoFactorEnabled ? 'two-factor-on' : 'two-factor-off');
  onSubmit('setup-form', async () => {
    const answer = await ask('POST', '2fa/setup');
    if (!answer.ok) return failureOf(answer);
    await showSecret(answer.body);
  });
  onSubmit('setup-code-form', async ({ code }) => {
    const answer = await ask('POST', '2fa/confirm', { code });
    if (!answer.ok) return codeFailure(answer);
    showCodes(answer.body.recoveryCodes);
    void showSessions();
  });
  onSubmit('new-codes-form', async ({ code }) => {
    const answer = await ask('POST', '2fa/recovery-codes', { code });
    if (!answer.ok) return codeFailure(answer);
    showCodes(answer.body.recoveryCodes);
  });
  onSubmit('disable-form', async ({ code }) => {
    const answer = await ask('POST', '2fa/disable', { code });
    if (!answer.ok) return codeFailure(answer);
    focusStep('two-factor-off');
    announce(answer.body.message);
  });
  onPress(byId('setup-cancel'), () => focusStep('two-factor-off'));
  onPress(byId('recovery-print'), () => print());
  onPress(byId('recovery-done'), () => focusStep('two-factor-on'));
}

/** @param {string} step */
function showStep(step) {
  for (const each of steps) byId(each).hidden = each !== step;
  for (const form of ['setup-code-form', 'new-codes-form', 'disable-form']) formOf(form).reset();
}

/** @param {string} step */
function focusStep(step) {
  showStep(step);
  byId(step).focus();
}

/** @param {Answer} answer */
function codeFailure(answer) {
  if (isProblem(answer, 'invalid-verification-code')) return { message: '', fields: { code: answer.body.detail } };
  return failureOf(answer);
}

/** @param {{ secret: string, otpauthUri: string, qrDataUri: string }} setup */
async function showSecret({ secret, otpauthUri, qrDataUri }) {
  byId('setup-secret').textContent = (secret.match(/.{1,4}/g) ?? []).join(' ');
  byId('setup-link').setAttribute('href', otpauthUri);
  await draw(qrDataUri);
  focusStep('two-factor-setup');
}

/**
 * Draws the picture: the policy of these pages admits no images from data URIs.
 * @param {string} dataUri
 */
async function draw(dataUri) {
  const bytes = Uint8Array.from(atob(dataUri.slice(dataUri.indexOf(',') + 1)), (byte) => byte.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const canvas = /** @type {HTMLCanvasElement} */ (byId('setup-qr'));
  Object.assign(canvas, { width: picture.width, height: picture.height });
  canvas.getContext('2d')?.drawImage(picture, 0, 0);
}

/** @param {readonly string[]} codes */
function showCodes(codes) {
  byId('recovery-codes').replaceChildren(...codes.map((each) => element('li', '', element('code', '', each))));
  focusStep('recovery');
}
