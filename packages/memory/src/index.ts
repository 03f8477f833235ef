export * from './stand-ins.ts';
export { MemoryUnitOfWork } from './unit-of-work.ts';
