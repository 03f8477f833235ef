import type { FromWorker, ToWorker } from './processes/worker-link.ts';
import { type RequestServer, type ServingOptions, serveHere } from './serving.ts';
import { StartFailure } from './start-failure.ts';

/** A process that answers requests. The first process sends it the zones, and it starts listening once it has them. */
export function startWorker(options: Omit<ServingOptions, 'onLost'>): Pick<RequestServer, 'close'> {
  const serving = serveHere({ ...options, onLost: (zone) => tell({ type: 'lost', zone }) });
  // Only the first process of this program sends messages.
  process.on('message', (message: ToWorker) => void hear(serving, message));
  tell({ type: 'ready' });
  return serving;
}

const tell = (message: FromWorker): void => void process.send?.(message);

async function hear(serving: RequestServer, message: ToWorker): Promise<void> {
  switch (message.type) {
    case 'begin':
      for (const zone of message.zones) serving.zoneSink.put(zone);
      return begin(serving);
    case 'put':
      return serving.zoneSink.put(message.zone);
    case 'remove':
      return serving.zoneSink.remove(message.id);
    case 'flush':
      return tell({ type: 'reply', number: message.number, value: 'flushed' });
    case 'measure': {
      const [value] = await serving.metrics();
      return tell({ type: 'reply', number: message.number, value });
    }
  }
}

async function begin(serving: RequestServer): Promise<void> {
  try {
    await serving.open();
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    tell({ type: 'failed', line: error.message });
    process.exitCode = 1;
    process.disconnect();
  }
}
