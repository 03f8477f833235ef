import pgPromise from 'pg-promise';
import { sqlFile } from './sql-file.ts';

/** One SQL statement; `prepared` binds its `${name}` parameters on the server, never into the text. */
export interface Statement {
  readonly text: string;
  prepared(values?: Readonly<Record<string, unknown>>): pgPromise.PreparedStatement;
}

/** What PostgreSQL keeps of the name of a prepared statement, in bytes: one more would be cut off without a word. */
const maxNameBytes = 63;

/**
 * Makes a statement of SQL text with named parameters. The name under which connections keep its plan is the
 * statement's own, so two texts must never share a name; one of more than 63 bytes throws.
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
  // The text that the server shows says where it comes from, first of all: it cuts long ones off.
  const text = `/* ${name} */ ${body}`;
  return {
    text,
    prepared: (values = {}) =>
      new pgPromise.PreparedStatement({ name, text, values: parameters.map((each) => given(values, each)) }),
  };
}

/** Reads a statement from `sql/`. */
export const statementFile = (path: string): Statement => statement(path, statementText(path));

/** The text of a file in `sql/`, with `<path>.part.sql` in the place of each part that it names: what several share. */
export const statementText = (path: string): string =>
  sqlFile(path).replace(/\/\*part ([\w/-]+)\*\//g, (_, part: string) => statementText(`${part}.part.sql`).trim());

/** A text with parts in place of the comments that consist of their names. */
export const filled = (text: string, parts: Readonly<Record<string, string>>): string =>
  Object.entries(parts).reduce((made, [name, part]) => made.replaceAll(`/*${name}*/`, () => part), text);

function given(values: Readonly<Record<string, unknown>>, parameter: string): unknown {
  if (!Object.hasOwn(values, parameter)) throw new Error(`The statement needs a value for ${parameter}.`);
  return values[parameter];
}
