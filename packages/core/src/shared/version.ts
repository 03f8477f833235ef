import { err, ok, type Result } from 'neverthrow';

/** Differs whenever a resource, or anything shown inside it, differs. Opaque to callers. */
export type Version = string;

/** The resource changed since the caller read it (RFC 9110 section 13.1.1); `current` is its version now. */
export const versionMismatch = (current: Version) => ({ type: 'VersionMismatch', current }) as const;
export type VersionMismatch = ReturnType<typeof versionMismatch>;

/** The versions a caller accepts; undefined accepts every version. */
export type ExpectedVersions = readonly Version[] | undefined;

/** Refuses a resource whose version is none of the accepted ones. */
export const requireVersion = (expected: ExpectedVersions, current: Version): Result<void, VersionMismatch> =>
  expected === undefined || expected.includes(current) ? ok() : err(versionMismatch(current));
