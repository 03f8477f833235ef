import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { err, ok, Result } from 'neverthrow';
import type { z } from 'zod';

/** Why a file could not be read. */
export function readProblem(code: string): string {
  if (code === 'ENOENT') return 'does not exist';
  return code === openToOthers ? 'is accessible to other users (run chmod 600)' : `cannot be read (${code})`;
}

const openToOthers = 'open to others';

/** The text of the file, or an error: a system error code, or that its permissions are too open. */
export const readPrivately = (path: string): Result<string, string> =>
  attempt(() => openSync(path, 'r')).andThen((file) => {
    const content = attempt(() => ({ mode: fstatSync(file).mode, text: readFileSync(file, 'utf8') }));
    closeSync(file);
    return content.andThen(({ mode, text }) =>
      process.platform !== 'win32' && (mode & 0o077) !== 0 ? err(openToOthers) : ok(text),
    );
  });

/** The result of a system call, or its error code. */
export const attempt = <T>(work: () => T): Result<T, string> =>
  Result.fromThrowable(work, (error) =>
    error instanceof Error && 'code' in error ? String(error.code) : String(error),
  )();

/** What is wrong in a file, e.g. `is invalid: jwt.keys[0].key is shorter than 32 bytes`. Never a value. */
export function problemIn(issue: z.core.$ZodIssue): string {
  const member = issue.path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');
  if (issue.code === 'unrecognized_keys') return `has unknown members: ${issue.keys.map(describeName).join(', ')}`;
  if (issue.code !== 'invalid_type')
    return member === '' ? `is invalid: ${issue.message}` : `is invalid: ${member} ${issue.message}`;
  return member === ''
    ? `is not a JSON ${issue.expected === 'array' ? 'list' : 'object'}`
    : `is invalid: ${member} is missing or not ${article(issue.expected)}`;
}

/** A name of a member as shown in errors. */
export const describeName = (name: string): string => JSON.stringify(name.slice(0, 32));
const article = (expected: string): string => (/^[aeio]/.test(expected) ? `an ${expected}` : `a ${expected}`);
