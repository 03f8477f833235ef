import { parseFacts, type RequestFacts } from '@zonewright/engine';
import type { Result } from 'neverthrow';
import { resultOf } from '../../kernel/shared/parse.ts';
import { type InvalidInput, invalidInput, violation } from '../../kernel/shared/violation.ts';

/** Validates a request to evaluate; violation paths start at the request. */
export const parseRequestFacts = (input: unknown): Result<RequestFacts, InvalidInput> =>
  resultOf(parseFacts(input)).mapErr((problems) =>
    invalidInput(problems.map(({ path, code, message }) => violation(path, code, message))),
  );
