/** What tests write and ask with: valid values, with the members that the test names. */
export * from './builders/accounts.ts';
export * from './builders/added.ts';
export * from './builders/backends.ts';
export * from './builders/credentials.ts';
export * from './builders/history.ts';
export * from './builders/ids.ts';
export * from './builders/mails.ts';
export * from './builders/organizations.ts';
export * from './builders/requests.ts';
export * from './builders/rules.ts';
export * from './builders/zones.ts';
