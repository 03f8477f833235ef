import type { Caller, ChangeSetId, ZoneId } from '@zonewright/core';
import { err, ok } from 'neverthrow';
import type { PermissionInput } from '../http/route-row.ts';

/** The zone and the id of a change set. */
export interface SetPlace {
  readonly zoneId: ZoneId;
  readonly id: ChangeSetId;
}

/**
 * Whether the caller may write change sets in the zone and this one exists. An API token that may only write them is not
 * told.
 */
export const mayWriteSet = ({ caller, params: { zoneId, id }, useCases }: PermissionInput<Caller, SetPlace>) =>
  useCases.checkZoneAccess(caller, zoneId, 'contents.write').andThen(() =>
    useCases
      .readChangeSet(caller, zoneId, id)
      .map(() => undefined)
      .orElse((error) => (error.type === 'PermissionMissing' ? ok(undefined) : err(error))),
  );
