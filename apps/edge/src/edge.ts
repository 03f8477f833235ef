import type { Logger } from 'pino';
import { EdgeZones } from './edge-zones.ts';
import { obtainKey, requireToken } from './enrolment.ts';
import { type Timing, usualTiming } from './feed/timing.ts';
import { listen } from './listen.ts';
import { edgeMetrics, metricsText } from './private/metrics.ts';
import { privateServer } from './private/private-server.ts';
import type { RoutedZone } from './routing/zone-table.ts';
import { type LinkOptions, ServiceLink } from './service-link.ts';
import { type RequestServer, serveHere } from './serving.ts';
import { WorkerServing } from './serving-by-workers.ts';
import { memoryShortage } from './settings/memory.ts';
import type { Settings } from './settings/settings.ts';
import { StartFailure } from './start-failure.ts';
import { openStateFolder, type StateFolder } from './state/state-folder.ts';
import { version } from './version.ts';

/** What an edge needs. */
export interface EdgeOptions {
  readonly settings: Settings;
  readonly log: Logger;
  /** Writes lines about requests. */
  readonly writeLines: (lines: string) => void;
  readonly timing?: Timing;
  /** Called if the edge turns out to be unable to go on: a failure that a person can fix, or a defect. */
  readonly onFailure: (error: unknown) => void;
}

/** A running edge. */
export interface RunningEdge {
  readonly port: number;
  readonly privatePort: number;
  /** Finishes the requests under way and frees the state folder. */
  close(): Promise<void>;
}

type Close = () => Promise<void> | void;

/**
 * Serves what is on disk, and then follows the service, however long that is away. Rejects with a `StartFailure` for what
 * a person can fix.
 */
export async function startEdge(options: EdgeOptions): Promise<RunningEdge> {
  const closers: Close[] = [];
  const close = async () => {
    for (const each of closers.splice(0).toReversed()) await each();
  };
  try {
    const ports = await start(options, (closer) => closers.push(closer));
    return { ...ports, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(
  options: EdgeOptions,
  onClose: (close: Close) => void,
): Promise<Pick<RunningEdge, 'port' | 'privatePort'>> {
  const { settings, log } = options;
  const startedAt = new Date();
  const folder = await openFolder(settings.stateDir);
  onClose(() => folder.close());
  if ((await folder.readKey()) === undefined) requireToken(settings.token);
  const parts = { ...options, onLost: (zone: RoutedZone) => zones.lose(zone) };
  const serving = settings.workers > 1 ? new WorkerServing(parts) : serveHere(parts);
  onClose(() => serving.close());
  const zones = new EdgeZones({
    folder,
    zoneSink: serving.zoneSink,
    facts: { country: settings.countryDb !== undefined, asn: settings.asnDb !== undefined },
    program: version,
  });
  await zones.load();
  const port = await serving.open();
  const shortage = memoryShortage(settings.workers, process.constrainedMemory());
  if (shortage !== undefined) log.warn(shortage);
  const link = linkLater({ ...options, folder, zones, startedAt });
  onClose(() => link.close());
  // Whatever waits for a check goes on then.
  onClose(() => zones.close());
  const privatePort = await listenPrivately(settings, { zones, serving, link }, onClose);
  log.info({ port, privatePort, zones: zones.digests().size, version }, 'serving');
  return { port, privatePort };
}

/** Opens the state folder. Rejects with a `StartFailure`. */
export const openFolder = async (path: string): Promise<StateFolder> =>
  (await openStateFolder(path)).match(
    (folder) => folder,
    (line) => {
      throw new StartFailure(line);
    },
  );

type LinkParts = EdgeOptions & Pick<LinkOptions, 'zones' | 'startedAt'> & { readonly folder: StateFolder };

/** Connects to the service in the background, because enrolling may take as long as the service is away. */
function linkLater({ timing = usualTiming, ...parts }: LinkParts) {
  const { settings, log, onFailure, folder, zones, startedAt } = parts;
  const stop = new AbortController();
  let link: ServiceLink | undefined;
  const connect = async () => {
    const key = await obtainKey({ settings, folder, log, timing, signal: stop.signal });
    if (stop.signal.aborted) return;
    const { serviceUrl } = settings;
    const stateId = await folder.id();
    link = new ServiceLink({ serviceUrl, key, zones, timing, log, startedAt, stateId });
  };
  const connecting = connect().catch((error: unknown) => {
    if (!stop.signal.aborted) onFailure(error);
  });
  return {
    ageSeconds: () => link?.ageSeconds,
    close: async (): Promise<void> => {
      stop.abort();
      await connecting;
      await link?.close();
    },
  };
}

async function listenPrivately(
  { privateHost: host, privatePort }: Settings,
  { zones, serving, link }: { zones: EdgeZones; serving: RequestServer; link: ReturnType<typeof linkLater> },
  onClose: (close: Close) => void,
): Promise<number> {
  let isClosing = false;
  const registry = edgeMetrics({
    served: () => zones.digests().size,
    rejected: () => zones.rejected().length,
    feedAgeSeconds: link.ageSeconds,
  });
  const server = privateServer({
    isReady: () => zones.isUsable && !isClosing,
    answers: (name) => serving.answers(name),
    metrics: async () => metricsText([await registry.getMetricsAsJSON(), ...(await serving.metrics())]),
    metricsType: registry.contentType,
  });
  const port = await listen(server, { host, port: privatePort, variable: 'PRIVATE_PORT' });
  onClose(() => {
    isClosing = true;
    server.close();
    server.closeAllConnections();
  });
  return port;
}
