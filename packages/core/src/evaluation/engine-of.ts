import {
  compile,
  type Engine,
  type Evaluation,
  type Names,
  parseConfiguration,
  type RequestFacts,
  TooMuchWork,
} from '@zonewright/engine';
import { err, ok, type Result } from 'neverthrow';
import type { ZoneDocument } from '../history/zone-document.ts';
import { type InvalidInput, invalidInput, violation } from '../shared/violation.ts';

const patternMemory = 2 * 2 ** 20;
/** Some tenths of a second for the patterns of one evaluation; usual ones need a thousandth of it. */
const maxWork = 20_000_000;

/** Prepares a document of a zone for requests. */
export function engineOf(document: ZoneDocument, names: Names): Engine {
  const configuration = parseConfiguration(document, {});
  if (!configuration.ok)
    throw new Error(`A stored configuration is unreadable: ${JSON.stringify(configuration.error)}`);
  return compile(configuration.value, { names, patternMemory, maxWork });
}

/** What the engine says; a request that takes too long to compare with all patterns is refused. */
export function evaluated(engine: Engine, facts: RequestFacts): Result<Evaluation, InvalidInput> {
  try {
    return ok(engine.evaluate(facts));
  } catch (failure) {
    if (failure instanceof TooMuchWork) return err(invalidInput([tooMuchWork]));
    throw failure;
  }
}

const tooMuchWork = violation(
  '',
  'evaluation.work',
  'Matching the patterns of the zone against this request takes too long. Shorten the request or the counted repetitions.',
);
