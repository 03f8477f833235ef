import { parse, RuleId, ZoneId } from '@zonewright/core';
import type { Result } from 'neverthrow';
import type { z } from 'zod';
import type { HttpError } from '../http/problem.ts';

type Raw = Readonly<Record<string, string>>;

/** A segment that cannot be an id names nothing. */
const id = <S extends z.ZodType>(schema: S, segment: string | undefined): Result<z.output<S>, HttpError> =>
  parse(schema, segment).mapErr(() => ({ type: 'NotFound' }) as const);

export const zoneParameter = ({ id: segment }: Raw): Result<{ id: ZoneId }, HttpError> =>
  id(ZoneId, segment).map((zoneId) => ({ id: zoneId }));

export const parentZoneParameter = ({ zoneId }: Raw): Result<{ zoneId: ZoneId }, HttpError> =>
  id(ZoneId, zoneId).map((parsed) => ({ zoneId: parsed }));

export const ruleParameters = ({ zoneId, id: segment }: Raw): Result<{ zoneId: ZoneId; id: RuleId }, HttpError> =>
  id(ZoneId, zoneId).andThen((zone) => id(RuleId, segment).map((rule) => ({ zoneId: zone, id: rule })));
