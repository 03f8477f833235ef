import { run } from './program.ts';

// The reader of our output may exit first (`zonewright audit-log | head`); that is not a failure.
process.stdout.on('error', () => process.exit(0));

process.exitCode = await run(process.argv.slice(2), process.env, process);
