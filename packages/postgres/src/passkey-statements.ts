import { statementFile as file } from './statement.ts';

/** The statements about passkeys. */
export const passkeyStatements = {
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
