import type { Backends } from '@zonewright/core';
import { backendKind } from '@zonewright/core';
import { okAsync } from 'neverthrow';
import type { Unit } from './tables.ts';

export const memoryBackends = ({ tables: { organizations } }: Unit): Backends => ({
  lockIfPresent: (organization, wanted) => {
    const backends = organizations.get(organization)?.backends ?? [];
    return okAsync(
      backends.some((backend) => backend.id === wanted.id && backendKind(backend) === backendKind(wanted)),
    );
  },
});
