import type { ListZonesQuery, OrganizationId, Profile, ZoneFacts, ZoneHead, ZoneId } from '@zonewright/core';

/** Names one immutable version of a zone's contents. */
export interface ZoneVersion {
  readonly id: ZoneId;
  readonly organizationId: OrganizationId;
  /** Unique among the versions of this zone, also after a database restore. */
  readonly version: string;
}

/** A page of a list of zones, whose contents are not read yet. */
export interface ZoneVersionPage {
  readonly zones: readonly ZoneVersion[];
  readonly totalItems: number;
}

/** What a request is about, read in the same statement as its caller. */
export type ReadAhead =
  | { readonly kind: 'profile'; readonly profile: Profile }
  /** `head` is undefined if there is no such zone. */
  | { readonly kind: 'zone'; readonly id: ZoneId; readonly head: VersionedHead | undefined }
  /** `facts` are undefined if there is no such zone, or if the caller is not a member. */
  | { readonly kind: 'zone change'; readonly id: ZoneId; readonly facts: ZoneFacts | undefined }
  | {
      readonly kind: 'zone list';
      readonly query: ListZonesQuery;
      /** The organizations whose zones are listed. */
      readonly organizations: readonly OrganizationId[];
      /** Only these of them; undefined: all. */
      readonly zones: readonly ZoneId[] | undefined;
      readonly page: ZoneVersionPage;
    };

/** The head of a zone with the version of its contents. */
export interface VersionedHead extends ZoneHead {
  readonly version: string;
}

/** Keeps what a session has read ahead until it is used or a unit of the session writes. */
export class ReadAheadSlot {
  #read: ReadAhead | undefined;

  keep(read: ReadAhead | undefined): void {
    this.#read = read;
  }

  /** Returns it and leaves it for another use. */
  peek<K extends ReadAhead['kind']>(kind: K): Extract<ReadAhead, { kind: K }> | undefined {
    const read = this.#read;
    // The kinds are equal.
    return read?.kind === kind ? (read as Extract<ReadAhead, { kind: K }>) : undefined;
  }

  /** Returns it for its last use. */
  take<K extends ReadAhead['kind']>(kind: K): Extract<ReadAhead, { kind: K }> | undefined {
    const read = this.peek(kind);
    if (read !== undefined) this.#read = undefined;
    return read;
  }

  forget(): void {
    this.#read = undefined;
  }
}
