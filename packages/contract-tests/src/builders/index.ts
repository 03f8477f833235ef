/** What tests write and ask with: valid values, with the members that the test names. */
export * from './accounts.ts';
export * from './added.ts';
export * from './backends.ts';
export * from './credentials.ts';
export * from './history.ts';
export * from './ids.ts';
export * from './mails.ts';
export * from './organizations.ts';
export * from './requests.ts';
export * from './rules.ts';
export * from './zones.ts';
