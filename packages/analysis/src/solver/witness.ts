import type { Witness } from '@zonewright/core';
import { parseFacts, type RequestFacts } from '@zonewright/engine';
import { partsOfWord } from '../texts/address-words.ts';
import { type Model, valueIn } from './model.ts';

/** The request that a model describes. */
export function witnessOf(model: Model, withStatus = false): Witness {
  const { scheme, host, path, query } = partsOfWord(valueIn(model, 'address') ?? '');
  const asn = valueIn(model, 'asn');
  const headers = [...model].flatMap(([variable, value]) =>
    variable.startsWith('header:') && value !== null ? [{ name: variable.slice('header:'.length), value }] : [],
  );
  return {
    scheme,
    authority: host,
    target: query === '' ? path : `${path}?${query}`,
    method: valueIn(model, 'method') ?? '',
    ...(headers.length === 0 ? {} : { headers }),
    ip: valueIn(model, 'ip') ?? '',
    country: valueIn(model, 'country') ?? '',
    asn: asn === null ? null : Number(asn),
    ...(withStatus ? { status: Number(valueIn(model, 'status')) } : {}),
  };
}

/** The facts of a witness; undefined if it is not a valid request. */
export function factsOf(witness: Witness): RequestFacts | undefined {
  const facts = parseFacts(witness);
  return facts.ok ? facts.value : undefined;
}
