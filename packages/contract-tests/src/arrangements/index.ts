/** What tests find in storage when they start: each function stores something and resolves to it. */
export * from './accounts.ts';
export * from './backends.ts';
export * from './changes.ts';
export * from './credentials.ts';
export * from './organizations.ts';
export * from './undone.ts';
export * from './zones.ts';
