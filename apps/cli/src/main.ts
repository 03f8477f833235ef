import { run } from './program.ts';

// The reader of our output may leave first (`zonewright audit-log | head`); that is no failure.
process.stdout.on('error', () => process.exit(0));

process.exitCode = await run(process.argv.slice(2), process.env, process);
