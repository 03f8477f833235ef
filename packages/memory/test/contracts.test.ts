import {
  idempotencyContract,
  rateLimiterContract,
  sessionSequencesContract,
  storageContract,
} from '@zonewright/contract-tests';
import { openMemoryLimiter, openMemoryStorage } from './memory-storage.ts';

storageContract('memory', openMemoryStorage);
sessionSequencesContract('memory', openMemoryStorage, { runs: 300 });
idempotencyContract('memory', openMemoryStorage);
rateLimiterContract('memory', openMemoryLimiter);
