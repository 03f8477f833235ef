import { storageContract } from '@zonewright/contract-tests';
import { openMemoryStorage } from './memory-storage.ts';

storageContract('memory', openMemoryStorage);
