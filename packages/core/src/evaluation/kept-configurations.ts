import type { Engine } from '@zonewright/engine';
import type { ZoneDocument } from '../history/zone-document.ts';
import type { ZoneId } from '../shared/ids.ts';

/** The configuration of a zone at a revision, which never changes, ready for requests. */
export interface KeptConfiguration {
  readonly document: ZoneDocument;
  readonly engine: Engine;
}

/** What may be kept, all zones together. */
export interface KeptLimits {
  readonly entries: number;
  /** UTF-16 code units of documents as JSON text. */
  readonly size: number;
}

/** Configurations by zone and revision. */
export interface KeptConfigurations {
  /** What is kept of a revision. */
  readonly get: (zone: ZoneId, revision: number) => KeptConfiguration | undefined;
  /** Keeps the configuration of a revision, in place of those that were not used for the longest time; returns it. */
  readonly keep: (zone: ZoneId, revision: number, configuration: KeptConfiguration) => KeptConfiguration;
}

interface Entry {
  readonly configuration: KeptConfiguration;
  readonly size: number;
}

/** Keeps the configurations that were used last, within limits. */
export function keptConfigurations(limits: KeptLimits): KeptConfigurations {
  // In the order of their last use.
  const entries = new Map<string, Entry>();
  let sum = 0;
  /** Removes an entry, and says how much room there is again. */
  const dropped = (key: string): number => {
    const size = entries.get(key)?.size ?? 0;
    entries.delete(key);
    return size;
  };
  return {
    get: (zone, revision) => {
      const key = keyOf(zone, revision);
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.configuration;
    },
    keep: (zone, revision, configuration) => {
      const key = keyOf(zone, revision);
      const size = JSON.stringify(configuration.document).length;
      sum += size - dropped(key);
      entries.set(key, { configuration, size });
      for (const oldest of entries.keys()) {
        if (entries.size <= limits.entries && sum <= limits.size) break;
        sum -= dropped(oldest);
      }
      return configuration;
    },
  };
}

const keyOf = (zone: ZoneId, revision: number): string => `${zone} ${revision}`;
