import { okAsync, type ResultAsync } from 'neverthrow';
import { z } from 'zod';
import type { BasicAuthUserId } from '../../kernel/shared/ids.ts';
import { BackendId, type BackendReference } from '../../organizations/backends/backend-reference.ts';
import type { ZoneMoment } from '../history/backend-revision.ts';
import type { BackendHistory } from '../history/ports.ts';
import type { ZoneDocument } from '../history/zone-document.ts';
import { isUsable, type ReferenceTargets, type SettingsReferences } from '../settings/references.ts';
import type { Zone } from '../zones/zone.ts';

/** What to do about an old state whose references no longer resolve: refuse it, or restore the rest. */
export const MissingMode = z.enum(['refuse', 'skip']);
export type MissingMode = z.infer<typeof MissingMode>;

/** A part of an old state that cannot be restored. */
export interface MissingPart {
  /** Its path in the old state. */
  readonly path: string;
  readonly kind: 'backend' | 'basicAuthUser' | 'setting' | 'hostname';
  readonly id?: string;
  readonly name?: string;
  /** Whether the setting keeps its current value or the reference is left out. */
  readonly effect: 'kept' | 'leftOut';
}

/** References of settings that no longer resolve. */
export interface MissingReferences {
  readonly backend: BackendReference | undefined;
  readonly users: readonly { readonly id: BasicAuthUserId; readonly index: number }[];
}

/** The references of settings that no longer resolve. */
export const missingIn = (
  { defaultBackend, basicAuth }: SettingsReferences,
  referents: ReferenceTargets,
): MissingReferences => ({
  backend: defaultBackend === undefined || isUsable(referents, defaultBackend) ? undefined : defaultBackend,
  users: (basicAuth?.allowedUserIds ?? []).flatMap((id, index) => (referents.users.has(id) ? [] : [{ id, index }])),
});

/** The parts of an old state that these references are, with the names they had. */
export const missingAt = (
  place: string,
  { backend, users }: MissingReferences,
  document: ZoneDocument,
  effect: MissingPart['effect'],
): readonly MissingPart[] => [
  ...(backend === undefined
    ? []
    : [{ path: `${place}.defaultBackend`, kind: 'backend', id: backend.id, effect } as const]),
  ...users.map(({ id, index }) => ({
    path: `${place}.basicAuth.allowedUserIds[${index}]`,
    kind: 'basicAuthUser' as const,
    id,
    ...usernameIn(document, id),
    effect,
  })),
];

function usernameIn(document: ZoneDocument, id: BasicAuthUserId): { readonly name?: string } {
  const user = document.basicAuthUsers?.[id];
  return user === undefined ? {} : { name: user.username };
}

/** Adds the names that missing backends had at a moment. */
export const withBackendNames = (
  { backendHistory }: { readonly backendHistory: BackendHistory },
  zone: Pick<Zone, 'id' | 'organizationId'>,
  moment: ZoneMoment,
  missing: readonly MissingPart[],
): ResultAsync<readonly MissingPart[], never> => {
  const ids = missing.flatMap(({ kind, id }) => (kind === 'backend' && id !== undefined ? [BackendId.parse(id)] : []));
  if (ids.length === 0) return okAsync(missing);
  return backendHistory.asOf(zone, moment, ids).map(({ originServers, loadBalancers }) => {
    const names = new Map<string | undefined, string>(
      [...originServers, ...loadBalancers].map((backend) => [backend.id, backend.name]),
    );
    return missing.map((each) => {
      const name = each.name ?? names.get(each.id);
      return name === undefined ? each : { ...each, name };
    });
  });
};
