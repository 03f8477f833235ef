import { beginStep, type OnWork } from '@zonewright/gate';
import type { Connection, Database } from './database.ts';

const observers = new WeakMap<Connection, OnWork>();

/** Reports the time of statements on this connection from now on. */
export function observe(on: Connection, onWork: OnWork | undefined): void {
  if (onWork !== undefined) observers.set(on, onWork);
}

/** The same pool, for statements whose time is reported. */
export function observedPool(database: Database, onWork: OnWork | undefined): Database {
  if (onWork === undefined) return database;
  // `Object.create` returns `any`; the pool's members are inherited.
  const pool = Object.create(database) as Database;
  observers.set(pool, onWork);
  return pool;
}

const unobserved = (): void => undefined;

/** Begins a statement; the returned function is called when its result is there. */
export const beginStatement = (on: Connection): (() => void) => {
  const onWork = observers.get(on);
  return onWork === undefined ? unobserved : beginStep(onWork);
};

/** Times a statement. */
export async function timed<T>(on: Connection, send: () => Promise<T>): Promise<T> {
  if (!observers.has(on)) return send();
  const end = beginStatement(on);
  try {
    return await send();
  } finally {
    end();
  }
}
