import type { OriginChoice } from '@zonewright/engine';

/** Names a server where its connections are counted: the same address may be one of another organization. */
export const serverKey = ({ originServer, protocol, address, port }: OriginChoice): string =>
  `${originServer} ${protocol} ${address} ${port}`;
