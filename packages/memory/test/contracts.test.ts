import { sessionSequencesContract, storageContract } from '@zonewright/contract-tests';
import { openMemoryStorage } from './memory-storage.ts';

storageContract('memory', openMemoryStorage);
sessionSequencesContract('memory', openMemoryStorage, { runs: 300 });
