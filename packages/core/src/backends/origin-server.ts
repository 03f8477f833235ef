import { z } from 'zod';
import { BackendAddress, OptionalRequestHostname } from './address.ts';
import { type Backend, BackendName, type BackendStamp } from './backend.ts';

/** How the proxy talks to an origin server. */
export const originProtocols = ['http', 'https'] as const;
export type OriginProtocol = (typeof originProtocols)[number];

const defaultPorts = { http: 80, https: 443 } as const satisfies Record<OriginProtocol, number>;

/** What a client writes of an origin server. The port of the protocol is filled in once and does not follow it later. */
export const OriginServerDraft = z
  .strictObject({
    name: BackendName,
    protocol: z.enum(originProtocols),
    address: BackendAddress,
    port: z.int().min(1).max(65_535).optional(),
    requestHostname: OptionalRequestHostname,
  })
  .transform(({ port, requestHostname, ...rest }) => ({
    ...rest,
    port: port ?? defaultPorts[rest.protocol],
    requestHostname,
  }));
export type OriginServerDraft = z.output<typeof OriginServerDraft>;

/** A server, or a name that resolves to several, from which the proxy fetches content. */
export interface OriginServer extends Backend {
  readonly protocol: OriginProtocol;
  /** As written. With the port it is unique in the organization. */
  readonly address: BackendAddress;
  readonly port: number;
}

/** Everything of an origin server that a write sets. */
export type WrittenOriginServer = Omit<OriginServer, keyof BackendStamp>;

/** What a client could have written: the document that a merge patch is applied to. */
export const originServerDocument = ({ name, protocol, address, port, requestHostname }: OriginServerDraft) => ({
  name,
  protocol,
  address,
  port,
  ...(requestHostname === undefined ? {} : { requestHostname }),
});
