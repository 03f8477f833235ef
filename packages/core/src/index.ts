export * from './shared/parse.ts';
