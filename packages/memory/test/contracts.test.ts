import {
  expiryContract,
  idempotencyContract,
  openMemoryLimiter,
  openMemoryStorage,
  rateLimiterContract,
  sessionSequencesContract,
  storageContract,
} from '@zonewright/contract-tests';

storageContract('memory', openMemoryStorage);
sessionSequencesContract('memory', openMemoryStorage, { runs: 300 });
idempotencyContract('memory', openMemoryStorage);
expiryContract('memory', openMemoryStorage);
rateLimiterContract('memory', openMemoryLimiter);
