import type { JsonDocument, PageRequest, Version } from '@zonewright/core';

/** JSON text that is copied verbatim into a response. */
export class JsonText {
  readonly text: string;
  constructor({ text }: Pick<JsonDocument<unknown>, 'text'>) {
    this.text = text;
  }
}

/** The bytes of a JSON text, compressed with gzip, that are sent as they are. */
export class CompressedJson {
  readonly bytes: Buffer;
  readonly version: Version;
  constructor(bytes: Uint8Array, version: Version) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.version = version;
  }
}

/** JSON text of an object whose members are merged into the response. */
export class JsonMembers {
  readonly text: string;
  constructor({ text }: Pick<JsonDocument<unknown>, 'text'>) {
    this.text = text;
  }
}

/**
 * Named members of a response, in order; undefined ones are omitted. Values may be items or JSON text; `JsonMembers`
 * are inlined, and their name is dropped.
 */
export type Members = Readonly<Record<string, unknown>>;

/** An embedded part of a resource, with a type but no address. */
export class Part {
  readonly type: string;
  readonly members: Members;
  constructor({ type, members }: Part) {
    this.type = type;
    this.members = members;
  }
}

/** Which page of a list is shown, and the total across all pages. */
export interface Paging {
  readonly page: PageRequest;
  readonly totalItems: number;
}

/** One resource: its linked-data identity and its members. */
export class Item {
  readonly type: string;
  /** Absent for a resource that is not stored. */
  readonly iri: string | undefined;
  readonly members: Members;
  /** Changes with every state of the resource; absent when no ETag is sent. */
  readonly version: Version | undefined;
  /**
   * Distinguishes representations of one version: `u` and eight hexadecimal digits. Clients may include or omit it in
   * `If-Match`.
   */
  readonly variant: string | undefined;
  /** Set when the item shows a page of a list: paging links are added as its last member. */
  readonly paging: Paging | undefined;
  /** Whether the item is cached beyond this response, so that its JSON text is worth caching too. */
  readonly isCacheable: boolean;

  constructor({
    type,
    iri,
    members,
    version,
    variant,
    paging,
    isCacheable = false,
  }: Pick<Item, 'type' | 'iri' | 'members'> & Partial<Item>) {
    this.type = type;
    this.iri = iri;
    this.members = members;
    this.version = version;
    this.variant = variant;
    this.paging = paging;
    this.isCacheable = isCacheable;
  }
}

/** A query parameter that filters a collection, and the member it filters by. */
export interface SearchParameter {
  readonly variable: string;
  readonly property: string;
}

/** One page of a list of items. */
export class Collection implements Paging {
  readonly type: string;
  readonly items: readonly Item[];
  readonly totalItems: number;
  readonly search: readonly SearchParameter[];
  /** The requested page. */
  readonly page: PageRequest;
  /** The version of the whole list, if it has one for `If-Match`; otherwise derived from the items. */
  readonly version?: Version | undefined;
  /** The list's form in plain JSON; a bare array by default. */
  readonly plainForm?: 'object' | undefined;

  constructor(collection: Collection) {
    this.type = collection.type;
    this.items = collection.items;
    this.totalItems = collection.totalItems;
    this.search = collection.search;
    this.page = collection.page;
    this.version = collection.version;
    this.plainForm = collection.plainForm;
  }
}
