import type { Worker } from 'node:cluster';
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client';

type Figures = MetricObjectWithValues<MetricValue<string>>[];

/** A metrics request between processes, or its response. */
interface Message {
  readonly figures: number;
  readonly values?: Figures;
}

const isMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'figures' in message;

/** Milliseconds after which an unresponsive process is left out. */
const timeoutMilliseconds = 2000;
let lastQuestion = 0;

/**
 * Collects the metrics of the given workers and aggregates them. The library's own collection hangs on a worker that is
 * just starting.
 */
export async function figuresOfAll(workers: readonly Worker[]): Promise<string> {
  const answers = await Promise.all(workers.map(figuresOf));
  return AggregatorRegistry.aggregate(answers).metrics();
}

const figuresOf = (worker: Worker): Promise<Figures> =>
  new Promise((resolve) => {
    lastQuestion += 1;
    const question: Message = { figures: lastQuestion };
    const end = (figures: Figures = []) => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('exit', onExit);
      resolve(figures);
    };
    const onMessage = (message: unknown) => {
      if (isMessage(message) && message.figures === question.figures) end(message.values);
    };
    const onExit = () => end();
    const timer = setTimeout(end, timeoutMilliseconds);
    worker.on('message', onMessage).once('exit', onExit);
    worker.send(question, (failure: Error | null) => {
      if (failure !== null) end();
    });
  });

/** Answers metrics requests of the primary process. */
export function answerWith(registry: Registry): void {
  process.on('message', (message: unknown) => {
    if (!isMessage(message)) return;
    void registry.getMetricsAsJSON().then((values) => process.send?.({ figures: message.figures, values }));
  });
}
