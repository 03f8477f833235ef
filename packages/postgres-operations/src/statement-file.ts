import { type Statement, statement } from '@zonewright/postgres';
import { sqlFile } from './sql-file.ts';

/** Reads a statement with named parameters from `sql/`. */
export const statementFile = (path: string): Statement => statement(path, sqlFile(path));
