import type { JsonDocument, PageRequest, Version } from '@zonewright/core';

/** JSON text that is written into an answer as it is. */
export class JsonText {
  readonly text: string;
  constructor({ text }: Pick<JsonDocument<unknown>, 'text'>) {
    this.text = text;
  }
}

/** An object as JSON text whose members are written among those of the answer. */
export class JsonMembers {
  readonly text: string;
  constructor({ text }: Pick<JsonDocument<unknown>, 'text'>) {
    this.text = text;
  }
}

/**
 * Members of an answer by name, in order; undefined ones are left out. Values may be items or JSON text; the name
 * of `JsonMembers` is not written.
 */
export type Members = Readonly<Record<string, unknown>>;

/** A part of a resource that has a type and no address. */
export class Part {
  readonly type: string;
  readonly members: Members;
  constructor({ type, members }: Part) {
    this.type = type;
    this.members = members;
  }
}

/** Which page of its list is shown, and how many items there are on all pages. */
export interface Paging {
  readonly page: PageRequest;
  readonly totalItems: number;
}

/** One resource: its linked-data identity, and its members. */
export class Item {
  readonly type: string;
  /** Absent where nothing was stored. */
  readonly iri: string | undefined;
  readonly members: Members;
  /** Distinguishes one state of the resource from every other; absent where no ETag is given. */
  readonly version: Version | undefined;
  /** Distinguishes what is shown of one version: `u` and eight hexadecimal digits. A client may name it in `If-Match` or not. */
  readonly variant: string | undefined;
  /** Where it shows a page of a list: links to the other pages are added as its last member. */
  readonly paging: Paging | undefined;
  /** Whether it outlives the answer it was made for: its text is made once. */
  readonly isKept: boolean;

  constructor({
    type,
    iri,
    members,
    version,
    variant,
    paging,
    isKept = false,
  }: Pick<Item, 'type' | 'iri' | 'members'> & Partial<Item>) {
    this.type = type;
    this.iri = iri;
    this.members = members;
    this.version = version;
    this.variant = variant;
    this.paging = paging;
    this.isKept = isKept;
  }
}

/** A query parameter by which a collection can be searched, and the member it looks at. */
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
  /** The page that was asked for. */
  readonly page: PageRequest;
  /** Of the list as a whole, where it has one that clients may name in `If-Match`; else it follows from the items. */
  readonly version?: Version | undefined;
  /** What the list is without linked data: a bare array unless said otherwise. */
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
