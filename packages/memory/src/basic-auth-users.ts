import type { BasicAuthUsers } from '@zonewright/core';
import { okAsync } from 'neverthrow';
import type { Unit } from './tables.ts';

export const memoryBasicAuthUsers = ({ tables: { zones } }: Unit): BasicAuthUsers => ({
  idsIn: (zone) => okAsync(new Set(zones.get(zone)?.basicAuthUsers)),
});
