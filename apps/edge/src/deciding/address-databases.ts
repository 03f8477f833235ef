import { readFileSync, type Stats, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { countryCodes } from '@zonewright/engine';
import { Reader } from 'mmdb-lib';

const watchMilliseconds = 2000;
const unknownCountry = 'XX';

/**
 * Reads the `.mmdb` files at these paths, and again whenever one changes, for which they are looked at every few
 * milliseconds; a damaged one changes nothing then. Throws if one is missing or damaged now.
 */
export function openAddressDatabases(
  { country, asn }: Readonly<Record<'country' | 'asn', string | undefined>>,
  interval = watchMilliseconds,
) {
  const countries = country === undefined ? undefined : watchedReader(country, interval);
  const systems = asn === undefined ? undefined : watchedReader(asn, interval);
  return {
    /** A code of ISO 3166-1, `XX` for an address that the file does not know; null: there is no file. */
    country: (address: string): string | null =>
      countries === undefined ? null : countryIn(countries.recordOf(address)),
    /** The number of the autonomous system; null: not known. */
    asn: (address: string): number | null => asnIn(systems?.recordOf(address)),
    /** Stops watching the files. */
    close: (): void => {
      countries?.close();
      systems?.close();
    },
  };
}

/** What files say about the address of a client. */
export type AddressDatabases = ReturnType<typeof openAddressDatabases>;

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;

/** Most publishers nest the code; some have only `country_code`. */
function countryIn(record: Members | undefined): string {
  const { country, country_code: plain } = record ?? {};
  const code = isObject(country) ? country['iso_code'] : (plain ?? country);
  const upper = typeof code === 'string' ? code.toUpperCase() : '';
  return countryCodes.has(upper) ? upper : unknownCountry;
}

/** Most publishers write a number; some have a text with AS before it. */
function asnIn(record: Members | undefined): number | null {
  const { autonomous_system_number: number, asn } = record ?? {};
  const value = number ?? (typeof asn === 'string' ? Number(asn.replace(/^AS/i, '')) : asn);
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 2 ** 32 ? value : null;
}

function watchedReader(file: string, interval: number) {
  let version = versionIn(statSync(file));
  let reader = readerOf(readFileSync(file));
  const look = async () => {
    try {
      const present = versionIn(await stat(file));
      if (present === version) return;
      version = present;
      reader = readerOf(await readFile(file));
    } catch {
      // Gone, damaged, or only half written: the next change is read again.
    }
  };
  const timer = setInterval(() => void look(), interval).unref();
  return {
    recordOf(address: string): Members | undefined {
      const record = valueAt(reader, address);
      return isObject(record) ? record : undefined;
    },
    close: () => clearInterval(timer),
  };
}

/** Changes when a file is written or replaced. */
const versionIn = ({ ino, mtimeMs, size }: Stats): string => `${ino} ${mtimeMs} ${size}`;

/** Throws on bytes that are no database. */
function readerOf(bytes: Buffer): Reader<never> {
  const reader = new Reader<never>(bytes);
  // Reads the metadata and one record.
  reader.get('192.0.2.1');
  return reader;
}

/** A damaged record is none. */
function valueAt(reader: Reader<never>, address: string): unknown {
  try {
    return reader.get(address);
  } catch {
    return undefined;
  }
}
