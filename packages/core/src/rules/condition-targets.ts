import { normalizeQuery } from '@zonewright/engine';
import { err, ok, type Result } from 'neverthrow';
import { type FormProblem, formProblem, type TextForm } from './condition-forms.ts';
import { tokenCharacters } from './condition-values.ts';

const maxTargetLength = 128;
const token = new RegExp(`^[${tokenCharacters}]+$`);
const parameterName = /^[^&=# \p{Cc}]{1,128}$/u;

const malformed = (message: string): Result<never, FormProblem> => err(formProblem('target.syntax', message));

/** A header name (RFC 9110 section 5.1), compared in lower case. The host has a field of its own that knows its syntax. */
export const headerName: TextForm = (written) => {
  if (written.length > maxTargetLength || !token.test(written)) {
    return malformed('This target should be a header name of at most 128 characters.');
  }
  const name = written.toLowerCase();
  return name === 'host'
    ? err(formProblem('target.host', 'The Host header is compared with the field "host".'))
    : ok(name);
};

/** A cookie name (RFC 6265 section 4.1.1); upper and lower case matter. */
export const cookieName: TextForm = (written) =>
  written.length <= maxTargetLength && token.test(written)
    ? ok(written)
    : malformed('This target should be a cookie name of at most 128 characters.');

/** The name of a query parameter as it stands in the query, compared after normalization. */
export const queryParameterName: TextForm = (written) =>
  written.length <= 2 * maxTargetLength && written.isWellFormed() && parameterName.test(written)
    ? ok(normalizeQuery(written))
    : malformed(
        'This target should be a parameter name of at most 128 characters without "&", "=", "#", spaces or control characters.',
      );
