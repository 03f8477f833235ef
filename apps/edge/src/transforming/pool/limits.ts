import { memory } from '../../settings/memory.ts';
import type { TransformerLimits } from './transformers.ts';

/** What the transformers of an edge may use. */
export const transformerLimits: TransformerLimits = {
  processes: memory.transformers,
  memory: memory.transformer,
  startMilliseconds: 20_000,
  startWaitMilliseconds: 5000,
  milliseconds: { image: 2000, page: 1000 },
  queueLimit: 32,
  waitSeconds: 0.5,
  idleSeconds: 60,
};
