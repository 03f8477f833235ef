import pgPromise from 'pg-promise';
import { sqlFile } from './sql-file.ts';
import type { SentStatement } from './watched-client.ts';

type Values = Readonly<Record<string, unknown>>;

/** A SQL statement, whose `${name}` parameters are bound on the server, never into the text. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** For pg-promise. */
  prepared(values?: Values): pgPromise.PreparedStatement;
  /** For the driver itself. */
  sent(values?: Values): SentStatement;
}

/** PostgreSQL silently truncates names of prepared statements to this many bytes. */
const maxNameBytes = 63;

/**
 * Creates a statement from SQL with named parameters. Its name identifies the cached plan on a connection, so two texts
 * must never share one; throws for names longer than 63 bytes.
 */
export function statement(name: string, sql: string): Statement {
  if (Buffer.byteLength(name) > maxNameBytes) {
    throw new Error(`Statement names can have at most ${maxNameBytes} bytes: ${name}`);
  }
  const parameters: string[] = [];
  const body = sql
    .replace(/^--.*$/gm, '')
    .replace(/\$\{(\w+)\}/g, (_, parameter: string) => {
      if (!parameters.includes(parameter)) parameters.push(parameter);
      return `$${parameters.indexOf(parameter) + 1}`;
    })
    .trim();
  // The name comes first, because the server truncates the texts it shows.
  const text = `/* ${name} */ ${body}`;
  const sent = (values: Values = {}) => ({ name, text, values: parameters.map((each) => given(values, each)) });
  return { name, text, sent, prepared: (values) => new pgPromise.PreparedStatement(sent(values)) };
}

/** Reads a statement from `sql/`; its name is the path within its context. */
export const statementFile = (path: string): Statement => statement(path.slice(path.indexOf('/') + 1), sqlFile(path));

function given(values: Values, parameter: string): unknown {
  if (!Object.hasOwn(values, parameter)) throw new Error(`The statement needs a value for ${parameter}.`);
  return values[parameter];
}
