/** A server that may get a request, as an evaluation lists it. */
export interface OriginServer {
  /** Its id. */
  readonly originServer: string;
  readonly protocol: 'http' | 'https';
  readonly address: string;
  readonly port: number;
  /** The `Host` header. */
  readonly host: string;
  readonly weight: number;
}

/** Names a server where its connections are counted: the same address may be one of another organization. */
export const serverKey = ({ originServer, protocol, address, port }: OriginServer): string =>
  `${originServer} ${protocol} ${address} ${port}`;
