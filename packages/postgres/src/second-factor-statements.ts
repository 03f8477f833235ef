import { statementFile as file } from './statement.ts';

/** The statements about second factors and passkeys. */
export const secondFactorStatements = {
  twoFactor: {
    reseal: file('two-factor/reseal.sql'),
    state: file('two-factor/state.sql'),
    isEnabled: file('two-factor/is-enabled.sql'),
    begin: file('two-factor/begin.sql'),
    enable: file('two-factor/enable.sql'),
    disable: file('two-factor/disable.sql'),
    spendStep: file('two-factor/spend-step.sql'),
    removeRecoveryCodes: file('two-factor/remove-recovery-codes.sql'),
    addRecoveryCodes: file('two-factor/add-recovery-codes.sql'),
    spendRecoveryCode: file('two-factor/spend-recovery-code.sql'),
  },
  passkeys: {
    add: file('passkeys/add.sql'),
    list: file('passkeys/list.sql'),
    total: file('passkeys/total.sql'),
    rename: file('passkeys/rename.sql'),
    remove: file('passkeys/remove.sql'),
    held: file('passkeys/held.sql'),
    noteUse: file('passkeys/note-use.sql'),
  },
  passkeyChallenges: {
    issue: file('passkey-challenges/issue.sql'),
    spend: file('passkey-challenges/spend.sql'),
  },
} as const;
