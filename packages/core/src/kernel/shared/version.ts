import { err, ok, type Result } from 'neverthrow';

/** Changes whenever the representation of a resource changes, including what it embeds. Opaque to callers. */
export type Version = string;

/** The resource changed since the caller read it (RFC 9110 section 13.1.1); `current` is its current version. */
export const versionMismatch = (current: Version) => ({ type: 'VersionMismatch', current }) as const;
export type VersionMismatch = ReturnType<typeof versionMismatch>;

/** The versions a caller accepts: those listed, or all `except` those listed; undefined accepts any. */
export type ExpectedVersions = readonly Version[] | { readonly except: readonly Version[] } | undefined;

/** Rejects a resource whose version is not accepted. */
export const requireVersion = (expected: ExpectedVersions, current: Version): Result<void, VersionMismatch> =>
  isAccepted(expected, current) ? ok() : err(versionMismatch(current));

const isAccepted = (expected: ExpectedVersions, current: Version): boolean => {
  if (expected === undefined) return true;
  return 'except' in expected ? !expected.except.includes(current) : expected.includes(current);
};
