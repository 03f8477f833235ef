import { z } from 'zod';
import { firstBroken, ignoringCase, uniqueList } from '../shared/constraints.ts';
import {
  FieldValue,
  headerName,
  isRefusedInResponseSet,
  isRefusedOnRequest,
  isRefusedOnResponse,
} from './http-fields.ts';
import { settings } from './setting.ts';

const maxFields = 50;

/** Maximum total length of the names and values in a header list, in bytes. */
const maxListBytes = 16_384;

interface HeaderField {
  readonly name: string;
  readonly value: string;
}

const headerField = (isRefused: (name: string) => boolean) =>
  z.strictObject({
    name: headerName(isRefused).meta({ description: 'Name of the header; case-insensitive.' }),
    value: FieldValue.meta({ description: 'Literal value of the header; at most 4096 bytes.' }),
  });

/** Validated names and values have one byte per character. */
const bytesOf = (fields: readonly HeaderField[]): number =>
  fields.reduce((total, { name, value }) => total + name.length + value.length, 0);

const withinTotal = firstBroken<readonly HeaderField[]>({
  holds: (fields) => bytesOf(fields) <= maxListBytes,
  code: 'settings.header.total',
  message: `The names and values in this list should have at most ${maxListBytes} bytes in total.`,
});

const byName = { maxItems: maxFields, key: ({ name }: HeaderField) => ignoringCase(name), at: ['name'] };

// Neither contains a line feed.
const asPair = { maxItems: maxFields, key: ({ name, value }: HeaderField) => `${ignoringCase(name)}\n${value}` };

/** Operations on headers; on responses they run in the order remove, set, add. */
export const headerSettings = settings({
  headersRequestSet: [
    uniqueList(headerField(isRefusedOnRequest), byName).check(withinTotal),
    'Headers replaced on the request to the origin.',
  ],
  headersResponseSet: [
    uniqueList(headerField(isRefusedInResponseSet), byName).check(withinTotal),
    'Headers replaced on the response to the client; Set-Cookie can only be added or removed.',
  ],
  headersResponseAdd: [
    uniqueList(headerField(isRefusedOnResponse), asPair).check(withinTotal),
    'Headers added to the response to the client; a name may occur several times with different values.',
  ],
  headersResponseRemove: [
    uniqueList(headerName(isRefusedOnResponse), { maxItems: maxFields, key: ignoringCase }),
    'Headers removed from the response to the client.',
  ],
});
