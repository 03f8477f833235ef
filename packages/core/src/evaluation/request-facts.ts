import { parseFacts, type RequestFacts } from '@zonewright/engine';
import type { Result } from 'neverthrow';
import { resultOf } from '../shared/outcome.ts';
import { type InvalidInput, invalidInput, violation } from '../shared/violation.ts';

/** Checks the facts of a request in their JSON form; paths of violations start at the facts. */
export const parseRequestFacts = (input: unknown): Result<RequestFacts, InvalidInput> =>
  resultOf(parseFacts(input)).mapErr((problems) =>
    invalidInput(problems.map(({ path, code, message }) => violation(path, code, message))),
  );
