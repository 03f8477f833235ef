import { createHash } from 'node:crypto';
import type { Sha256 } from '@zonewright/core';

/** SHA-256 by Node. */
export const sha256: Sha256 = (bytes) => createHash('sha256').update(bytes, 'latin1').digest('hex');
