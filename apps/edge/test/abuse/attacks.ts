import { connectionAttacks } from './connection-attacks.ts';
import { evaluationAttacks } from './evaluation-attacks.ts';
import { formatAttacks } from './format-attacks.ts';
import { loopAttacks } from './loop-attacks.ts';

/** All attacks of one zone on the others. */
export const attacks = [...evaluationAttacks, ...formatAttacks, ...connectionAttacks, ...loopAttacks];
