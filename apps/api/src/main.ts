import { run } from './process/program.ts';

await run();
