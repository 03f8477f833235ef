import type { Logger } from 'pino';
import { type Answering, openAnswering } from './answering.ts';
import { servedZone } from './documents/accepted-zone.ts';
import type { Audience } from './edge-zones.ts';
import { type RoutedZone, ZoneTable } from './routing/zone-table.ts';
import type { Settings } from './settings/settings.ts';
import { readDocumentNow } from './state/state-folder.ts';

/** Milliseconds after which a compiled zone that nobody asks for is released. */
const idleMilliseconds = 10 * 60 * 1000;

/** The part of the edge that answers requests. */
export interface Serving {
  readonly audience: Audience;
  /** Begins to answer requests; resolves to the port. */
  open(): Promise<number>;
  /** Whether a zone answers requests for the host name. */
  answers(name: string): boolean;
  /** Number of zones that are ready in memory. */
  compiled(): number;
  close(): Promise<void>;
}

/** What answering requests needs. */
export interface ServingOptions {
  readonly settings: Settings;
  readonly log: Logger;
  /** Called when a document on disk turns out to be lost or damaged. */
  readonly onLost: (zone: RoutedZone) => void;
}

/** Zones that are read from disk and compiled when they are asked for. */
export const zonesOnDisk = ({ settings: { stateDir }, log, onLost }: ServingOptions): ZoneTable =>
  new ZoneTable((zone) => {
    const bytes = readDocumentNow(stateDir, zone.digest);
    const read = bytes && servedZone(bytes, zone.digest);
    if (read?.isOk()) return read.value;
    log.error({ zone: zone.id, digest: zone.digest }, 'the document of a zone is lost or damaged; it is fetched again');
    onLost(zone);
    return undefined;
  });

/** Answers requests in this process. */
export function serveHere(options: ServingOptions): Serving {
  const table = zonesOnDisk(options);
  let answering: Answering | undefined;
  const timer = setInterval(() => table.releaseIdle(), idleMilliseconds).unref();
  return {
    audience: {
      put: (zone, served) => table.put(zone, served),
      remove: (id) => table.remove(id),
      settled: () => Promise.resolve(),
    },
    open: async () => {
      answering = await openAnswering(table, options.settings);
      return answering.port;
    },
    answers: (name) => table.answers(name),
    compiled: () => table.compiled,
    close: async () => {
      clearInterval(timer);
      await answering?.close();
    },
  };
}
