/** The program of a thread where TypeScript is run as it is: the loader of the calling thread is not that of others. */
import { register } from 'tsx/esm/api';

register();
await import('./worker.ts');
