import { StorageUnavailable } from '@zonewright/core';
import pgPromise from 'pg-promise';

const { QueryResultError } = pgPromise.errors;

const codeOf = (error: unknown): string => {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
};

/** Serialization failure or deadlock: the unit may run again. */
export const isConflict = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error));

/**
 * The server is read-only, most likely because another one has been promoted. Its open connections keep failing, so
 * only new ones recover.
 */
export const isReadOnlyServer = (error: unknown): boolean => codeOf(error) === '25006';

/** The server ends the connection, or it is broken. */
export const isConnectionFailure = (error: unknown): boolean =>
  /^(?:ECONNRESET|08(?!P01)|57(?!014))/.test(codeOf(error));

const passingCode = /^(?:08|25006|53|57P0|55P03|57014|40001|40P01)/;
const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);
const connectionMessage = /timeout|terminated|Connection|not queryable|Client has encountered|after calling end/;

/** Maps transient failures to `StorageUnavailable`; others are returned unchanged. */
export function storageFailure(error: unknown): unknown {
  if (error instanceof QueryResultError || !(error instanceof Error)) return error;
  const code = codeOf(error);
  const passes =
    passingCode.test(code) || connectionCodes.has(code) || (code === '' && connectionMessage.test(error.message));
  return passes ? new StorageUnavailable(error.message, { cause: error }) : error;
}

/** Rejects with the mapped failure. */
export function rethrow(error: unknown): never {
  throw storageFailure(error);
}

/** The unique constraint or foreign key that a write violates. */
export const brokenConstraint = (error: unknown): string | undefined =>
  ['23505', '23503'].includes(codeOf(error)) && typeof error === 'object' && error !== null && 'constraint' in error
    ? String(error.constraint)
    : undefined;
