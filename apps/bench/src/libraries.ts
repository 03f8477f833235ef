import type { KeyObject } from 'node:crypto';
import { createRequire } from 'node:module';

/** The subset of the driver that the floor uses. */
interface Pg {
  Pool: new (options: {
    connectionString: string;
    max: number;
  }) => {
    query(statement: { name: string; text: string; values: readonly unknown[] }): Promise<{ rows: unknown[] }>;
  };
}

interface Jwt {
  sign(payload: object, key: KeyObject, options: { algorithm: 'HS256'; expiresIn: number }): string;
  verify(token: string, key: KeyObject, options: { algorithms: ['HS256'] }): unknown;
}

interface Argon2 {
  verify(hash: string, password: string): Promise<boolean>;
}

const from = (adapter: string) => createRequire(new URL(`../../../packages/${adapter}/package.json`, import.meta.url));

/** The storage's own driver, so that floor and service differ only in their code; `require` gives it no type. */
export const pg = from('postgres')('pg') as Pg;
/** Signs and verifies the floor's tokens; the service's own copy, as `pg`. */
export const jwt = from('crypto')('jsonwebtoken') as Jwt;
/** Verifies password hashes; the service's own copy, as `pg`. */
export const argon2 = from('crypto')('argon2') as Argon2;
