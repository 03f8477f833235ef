import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { type AddressDatabases, openAddressDatabases } from './deciding/address-databases.ts';
import { servedZone } from './documents/accepted-zone.ts';
import type { ZoneSink } from './edge-zones.ts';
import { type RequestEntry, requestLog } from './log/request-log.ts';
import { requestMetrics } from './private/metrics.ts';
import { openProxy, type Proxy } from './proxying/open-proxy.ts';
import { type RoutedZone, ZoneTable } from './routing/zone-table.ts';
import type { Settings } from './settings/settings.ts';
import { StartFailure } from './start-failure.ts';
import { readDocumentNow } from './state/state-folder.ts';
import { transformerLimits } from './transforming/pool/limits.ts';
import { Transformers } from './transforming/pool/transformers.ts';

/** Milliseconds after which a compiled zone that nobody asks for is released. */
const idleMilliseconds = 10 * 60 * 1000;

/** The part of the edge that answers requests. */
export interface RequestServer {
  readonly zoneSink: ZoneSink;
  /** Begins to answer requests; resolves to the port. Rejects with a `StartFailure`. */
  open(): Promise<number>;
  /** Whether a zone answers requests for the host name. */
  answers(name: string): boolean;
  /** The metrics of requests, from each process that answers them. */
  metrics(): Promise<readonly ProcessMetrics[]>;
  close(): Promise<void>;
}

/** The metrics of one process. */
export type ProcessMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** What answering requests needs. */
export interface ServingOptions {
  readonly settings: Settings;
  readonly log: Logger;
  /** Writes lines about requests. */
  readonly writeLines: (lines: string) => void;
  /** Called when a document on disk turns out to be lost or damaged. */
  readonly onLost: (zone: RoutedZone) => void;
}

/** Answers requests in this process. */
export function serveHere(options: ServingOptions): RequestServer {
  const table = zonesOnDisk(options);
  const registry = new Registry();
  const closers: (() => Promise<void> | void)[] = [];
  return {
    zoneSink: {
      put: (zone) => table.put(zone),
      remove: (id) => table.remove(id),
      flushed: () => Promise.resolve(),
    },
    open: async () => {
      const databases = databasesIn(options.settings);
      closers.push(() => databases.close());
      const proxy = await proxyOf(table, databases, registry, options);
      closers.push(() => proxy.close());
      const timer = setInterval(() => table.releaseIdle(), idleMilliseconds).unref();
      closers.push(() => clearInterval(timer));
      return proxy.port;
    },
    answers: (name) => table.answers(name),
    metrics: async () => [await registry.getMetricsAsJSON()],
    close: async () => {
      for (const close of closers.splice(0).toReversed()) await close();
    },
  };
}

/** Zones that are read from disk and compiled when they are asked for. */
const zonesOnDisk = ({ settings: { stateDir }, log, onLost }: ServingOptions): ZoneTable =>
  new ZoneTable((zone) => {
    const bytes = readDocumentNow(stateDir, zone.digest);
    const read = bytes && servedZone(bytes, zone.digest);
    if (read?.isOk()) return read.value;
    log.error({ zone: zone.id, digest: zone.digest }, 'the document of a zone is lost or damaged; it is fetched again');
    onLost(zone);
    return undefined;
  });

function databasesIn({ countryDb, asnDb }: Settings): AddressDatabases {
  for (const [variable, file] of Object.entries({ COUNTRY_DB: countryDb, ASN_DB: asnDb })) {
    try {
      openAddressDatabases({ country: file, asn: undefined }).close();
    } catch {
      throw new StartFailure(`${variable}: ${JSON.stringify(file)} is no .mmdb file, or damaged`);
    }
  }
  return openAddressDatabases({ country: countryDb, asn: asnDb });
}

async function proxyOf(
  zones: ZoneTable,
  facts: AddressDatabases,
  registry: Registry,
  { settings, log, writeLines }: ServingOptions,
): Promise<Proxy> {
  const requests = requestLog(log.isLevelEnabled('info') ? writeLines : () => undefined);
  const measure = requestMetrics(registry, () => zones.compiled);
  const record = (entry: RequestEntry) => {
    requests.write(entry);
    measure(entry);
  };
  const transformers = new Transformers(transformerLimits, () =>
    log.error('the process for images and pages cannot start: they pass as they came'),
  );
  const proxy = await openProxy({ zones, facts, settings, transformers, record });
  const close = () =>
    proxy.close().finally(() => {
      transformers.close();
      requests.flush();
    });
  return { ...proxy, close };
}
