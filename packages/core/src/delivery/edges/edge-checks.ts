import { type CheckedConfiguration, checksOf, type DocumentCheck } from '@zonewright/engine';
import { ok, okAsync, type ResultAsync } from 'neverthrow';
import type { Sha256 } from '../../kernel/shared/sha256.ts';
import type { AnalysisBusy } from '../../review/findings/errors.ts';

/** Checks of larger documents are made elsewhere: compiling them would hold up a thread that serves requests. */
const maxCharacters = 50_000;

/** Makes the checks of large documents where that holds up no requests. */
export interface DocumentChecks {
  /** What `checksOf` returns. */
  checks(configuration: CheckedConfiguration): ResultAsync<readonly DocumentCheck[], AnalysisBusy>;
}

/**
 * The checks of a document. If those who make checks of large ones are too busy, they are made here: the same content
 * must have the same checks.
 */
export const checksFor = (
  configuration: CheckedConfiguration,
  sha256: Sha256,
  others: DocumentChecks,
): ResultAsync<readonly DocumentCheck[], never> =>
  JSON.stringify(configuration.document).length > maxCharacters
    ? others.checks(configuration).orElse(() => ok(checksOf(configuration, sha256)))
    : okAsync(checksOf(configuration, sha256));
