import type { AddressDatabases } from '../deciding/address-databases.ts';
import type { CredentialCheck } from '../deciding/credentials.ts';
import type { Zones } from '../documents/served-zone.ts';
import type { Clients } from '../framing/client.ts';
import type { RequestEntry } from '../log/request-entry.ts';
import type { Origins } from '../origins/origins.ts';

/** What all requests share. */
export interface ProxyContext {
  readonly zones: Zones;
  readonly clients: Clients;
  readonly databases: AddressDatabases;
  readonly credentials: CredentialCheck;
  readonly origins: Origins;
  readonly record: (entry: RequestEntry) => void;
}
