import {
  expiryContract,
  idempotencyContract,
  rateLimiterContract,
  sessionSequencesContract,
  storageContract,
} from '@zonewright/contract-tests';
import { openMemoryLimiter, openMemoryStorage } from './support/memory-storage.ts';

storageContract('memory', openMemoryStorage);
sessionSequencesContract('memory', openMemoryStorage, { runs: 300 });
idempotencyContract('memory', openMemoryStorage);
expiryContract('memory', openMemoryStorage);
rateLimiterContract('memory', openMemoryLimiter);
