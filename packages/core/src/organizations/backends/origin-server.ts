import { z } from 'zod';
import { type BackendAddress, backendAddressIn, OptionalRequestHostname, type OriginNetworks } from './address.ts';
import { type Backend, BackendName, type BackendStamp } from './backend.ts';

/** How the proxy talks to an origin server. */
export const originProtocols = ['http', 'https'] as const;
export type OriginProtocol = (typeof originProtocols)[number];

const defaultPorts = { http: 80, https: 443 } as const satisfies Record<OriginProtocol, number>;

/** The client-supplied part of an origin server. The port defaults to that of the protocol once, on creation. */
export const originServerDraftIn = (allowed: OriginNetworks) =>
  z
    .strictObject({
      name: BackendName,
      protocol: z.enum(originProtocols),
      address: backendAddressIn(allowed),
      port: z.int().min(1).max(65_535).optional(),
      requestHostname: OptionalRequestHostname,
    })
    .transform(({ port, requestHostname, ...rest }) => ({
      ...rest,
      port: port ?? defaultPorts[rest.protocol],
      requestHostname,
    }));

/** The same where only public addresses are allowed. */
export const OriginServerDraft = originServerDraftIn([]);
export type OriginServerDraft = z.output<typeof OriginServerDraft>;

/** A server, or a name that resolves to several, from which the proxy fetches content. */
export interface OriginServer extends Backend {
  readonly protocol: OriginProtocol;
  /** As written; unique in the organization together with the port. */
  readonly address: BackendAddress;
  readonly port: number;
}

/** The part of an origin server that a write sets. */
export type WrittenOriginServer = Omit<OriginServer, keyof BackendStamp>;

/** The client-supplied part, to which merge patches apply. */
export const originServerDocument = ({ name, protocol, address, port, requestHostname }: OriginServerDraft) => ({
  name,
  protocol,
  address,
  port,
  ...(requestHostname === undefined ? {} : { requestHostname }),
});
