import type { Worker } from 'node:cluster';
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client';

type Figures = MetricObjectWithValues<MetricValue<string>>[];

/** What goes between the processes: the number of a question, and in the answer the figures. */
interface Message {
  readonly figures: number;
  readonly values?: Figures;
}

const isMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'figures' in message;

/** Milliseconds after which a process that does not answer is left out. */
const patience = 2000;
let asked = 0;

/**
 * Asks processes that serve for their figures and adds them up, as far as sums make sense. The library's own way to ask
 * waits in vain for a process that is just starting.
 */
export async function figuresOfAll(workers: readonly Worker[]): Promise<string> {
  const answers = await Promise.all(workers.map(figuresOf));
  return AggregatorRegistry.aggregate(answers).metrics();
}

const figuresOf = (worker: Worker): Promise<Figures> =>
  new Promise((resolve) => {
    asked += 1;
    const question: Message = { figures: asked };
    const end = (figures: Figures = []) => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('exit', onExit);
      resolve(figures);
    };
    const onMessage = (message: unknown) => {
      if (isMessage(message) && message.figures === question.figures) end(message.values);
    };
    const onExit = () => end();
    const timer = setTimeout(end, patience);
    worker.on('message', onMessage).once('exit', onExit);
    worker.send(question, (failure: Error | null) => {
      if (failure !== null) end();
    });
  });

/** Answers the process that asks for the figures of this one. */
export function answerWith(registry: Registry): void {
  process.on('message', (message: unknown) => {
    if (!isMessage(message)) return;
    void registry.getMetricsAsJSON().then((values) => process.send?.({ figures: message.figures, values }));
  });
}
