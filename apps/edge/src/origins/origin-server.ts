import type { OriginChoice } from '@zonewright/engine';

/** A server that may get a request, as an evaluation lists it. */
export type OriginServer = OriginChoice;

/** Names a server where its connections are counted: the same address may be one of another organization. */
export const serverKey = ({ originServer, protocol, address, port }: OriginServer): string =>
  `${originServer} ${protocol} ${address} ${port}`;
