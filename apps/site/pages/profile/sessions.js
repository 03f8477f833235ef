import { failureOf } from '../api.js';
import { formOf, onSubmit } from '../form.js';
import { ask } from '../session.js';
import { programOf } from './programs.js';
import { actionButton, report, showList, thing, timeOf, useOf } from './things.js';

const path = 'users/me/sessions';

export function offerSessions() {
  onSubmit('sessions-form', async () => {
    const answer = await ask('DELETE', path);
    if (!answer.ok) return failureOf(answer);
    await showSessions();
    report('sessions', answer, 'All other sessions were ended.');
  });
  void showSessions();
}

export async function showSessions() {
  const { total } = await showList('session-list', `${path}?itemsPerPage=100`, itemOf, 'You have no session.');
  formOf('sessions-form').hidden = total < 2;
}

/** @param {import('./profile.d.ts').Session} session */
function itemOf({ id, createdAt, lastUsedAt, userAgent, current, twoFactor }) {
  const name = current ? 'This browser' : programOf(userAgent);
  const end = actionButton('End', name, async () => {
    const answer = await ask('DELETE', `${path}/${id}`);
    if (answer.ok) await showSessions();
    report('sessions', answer, 'The session was ended.');
  });
  return thing({
    name,
    facts: ['Signed in ', timeOf(createdAt), twoFactor ? ' with two factors' : '', ...useOf(lastUsedAt)],
    actions: current ? [] : [end],
  });
}
