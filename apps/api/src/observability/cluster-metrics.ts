import type { Worker } from 'node:cluster';
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client';

type Values = MetricObjectWithValues<MetricValue<string>>[];

/** A metrics request between processes, or its response. */
interface Message {
  readonly metricsRequest: number;
  readonly values?: Values;
}

const isMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'metricsRequest' in message;

/** Milliseconds after which an unresponsive process is left out. */
const timeoutMilliseconds = 2000;
let lastRequest = 0;

/**
 * Collects the metrics of the given workers and aggregates them. The library's own collection hangs on a worker that is
 * just starting.
 */
export async function clusterMetrics(workers: readonly Worker[]): Promise<string> {
  const metrics = await Promise.all(workers.map(metricsOf));
  return AggregatorRegistry.aggregate(metrics).metrics();
}

const metricsOf = (worker: Worker): Promise<Values> =>
  new Promise((resolve) => {
    lastRequest += 1;
    const request: Message = { metricsRequest: lastRequest };
    const end = (values: Values = []) => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('exit', onExit);
      resolve(values);
    };
    const onMessage = (message: unknown) => {
      if (isMessage(message) && message.metricsRequest === request.metricsRequest) end(message.values);
    };
    const onExit = () => end();
    const timer = setTimeout(end, timeoutMilliseconds);
    worker.on('message', onMessage).once('exit', onExit);
    worker.send(request, (failure: Error | null) => {
      if (failure !== null) end();
    });
  });

/** Answers metrics requests of the primary process. */
export function answerMetricsRequests(registry: Registry): void {
  process.on('message', (message: unknown) => {
    if (!isMessage(message)) return;
    void registry
      .getMetricsAsJSON()
      .then((values) => process.send?.({ metricsRequest: message.metricsRequest, values }));
  });
}
