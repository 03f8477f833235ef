import { auditActions } from '@zonewright/core';
import { expect } from 'chai';

/** A browser module without type declarations. */
const { accountActions } = (await import(new URL('../pages/profile/account-actions.js', import.meta.url).href)) as {
  accountActions: readonly string[];
};

const ofAccounts = /^(?:account|mailedToken|session|login|challenge|twoFactor|identity|passkey|apiToken|access)\./;

describe('accountActions', () => {
  it('are all that can happen to an account, except renewals of a session', () => {
    const all = auditActions.filter((action) => ofAccounts.test(action) && action !== 'session.refreshed');
    expect(accountActions).to.have.members(all);
  });
});
