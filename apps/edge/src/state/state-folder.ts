import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { err, ok, type Result } from 'neverthrow';
import { syncFolder, writeDurably, writeWhole } from './durable-file.ts';
import { lockFolder } from './folder-lock.ts';
import { parseTable, type StoredTable } from './stored-table.ts';

const keyFile = 'key';
const idFile = 'id';
const tableFile = 'zones.json';
const isUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const documentFolder = 'documents';

/** The files of an edge: its key, its id, its table of zones, and documents by digest. One process at a time. */
export class StateFolder {
  readonly #path: string;
  /** Lets another process use the folder. */
  readonly close: () => void;

  constructor(path: string, release: () => void) {
    this.#path = path;
    this.close = release;
  }

  /** Undefined: not enrolled. */
  readKey(): Promise<string | undefined> {
    return textOf(join(this.#path, keyFile)).then((text) => text?.trim());
  }

  /** Resolves once it is on disk. */
  writeKey(key: string): Promise<void> {
    return writeDurably(join(this.#path, keyFile), `${key}\n`);
  }

  /** Tells the service that later processes have the state of earlier ones. Made when it is first asked for. */
  async id(): Promise<string> {
    const path = join(this.#path, idFile);
    const id = (await textOf(path))?.trim();
    if (id !== undefined && isUuid.test(id)) return id;
    const made = randomUUID();
    await writeDurably(path, `${made}\n`);
    return made;
  }

  /** Undefined: there is none, or it is unreadable. */
  async readTable(): Promise<StoredTable | undefined> {
    const text = await textOf(join(this.#path, tableFile));
    return text === undefined ? undefined : parseTable(text);
  }

  /** Resolves once it is on disk, and all documents that were written before. */
  async writeTable(table: StoredTable): Promise<void> {
    await syncFolder(join(this.#path, documentFolder));
    await writeDurably(join(this.#path, tableFile), JSON.stringify(table));
  }

  /** Whole from the beginning; on disk after the next table. */
  writeDocument(digest: string, bytes: Uint8Array): Promise<void> {
    return writeWhole(documentPath(this.#path, digest), bytes);
  }

  /** Undefined: it is not there. */
  async readDocument(digest: string): Promise<Buffer | undefined> {
    return readFile(documentPath(this.#path, digest)).catch(missing);
  }

  /** Removes one document, if it is there. */
  removeDocument(digest: string): Promise<void> {
    return rm(documentPath(this.#path, digest), { force: true });
  }

  /** Removes all documents but these, and unfinished files. */
  async sweep(used: ReadonlySet<string>): Promise<void> {
    const names = await readdir(join(this.#path, documentFolder));
    const unused = names.filter((name) => !used.has(`sha256:${name.replace(/\.json$/, '')}`));
    await Promise.all(unused.map((name) => rm(join(this.#path, documentFolder, name), { force: true })));
  }
}

const documentPath = (root: string, digest: string): string =>
  join(root, documentFolder, `${digest.slice('sha256:'.length)}.json`);

/** Reads a document for a request that waits for it, in any process; undefined: it is not there. */
export function readDocumentNow(root: string, digest: string): Buffer | undefined {
  try {
    return readFileSync(documentPath(root, digest));
  } catch (error) {
    return missing(error);
  }
}

const textOf = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(missing);

/** Anything but a missing file is a defect of the machine. */
function missing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}

/** Opens the folder, creating it if needed. The error says in one line what the operator should change. */
export async function openStateFolder(path: string): Promise<Result<StateFolder, string>> {
  try {
    mkdirSync(join(path, documentFolder), { recursive: true, mode: 0o700 });
    // Shows before a token is spent that a key can be written.
    await writeDurably(join(path, 'probe'), '');
    await rm(join(path, 'probe'));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return err(`STATE_DIR: ${JSON.stringify(path)} cannot be written (${code})`);
  }
  const release = await lockFolder(path);
  if (release === undefined) return err(`STATE_DIR: ${JSON.stringify(path)} is in use by another edge`);
  return ok(new StateFolder(path, release));
}
