import { run } from './program.ts';

await run(() => import('@zonewright/dev-postgres'));
