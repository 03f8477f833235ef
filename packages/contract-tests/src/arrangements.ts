/** What tests find in storage when they start: each function stores something and resolves to it. */
export * from './arrangements/accounts.ts';
export * from './arrangements/backends.ts';
export * from './arrangements/changes.ts';
export * from './arrangements/credentials.ts';
export * from './arrangements/organizations.ts';
export * from './arrangements/undone.ts';
export * from './arrangements/zones.ts';
