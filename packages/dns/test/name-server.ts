import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type Answer, type DecodedPacket, decode, encode, type Packet } from 'dns-packet';

/** How a name server answers about a name: with the texts of TXT records, or with a code; `silent`: not at all. */
type Behaviour =
  | readonly (readonly string[])[]
  | 'NXDOMAIN'
  | 'SERVFAIL'
  | 'REFUSED'
  | 'silent'
  | { readonly alias: string };

/** A name server on a loopback address, over UDP and with real packets (RFC 1035). */
export interface NameServer {
  /** For `DNS_SERVERS`. */
  readonly address: string;
  /** By name in lower case; other names do not exist. An empty list: the name exists without TXT records. */
  readonly names: Map<string, Behaviour>;
  /** The names asked for, in order. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

const codes = { NXDOMAIN: 3, SERVFAIL: 2, REFUSED: 5 } as const;
const authoritative = 0x0400;

/** Starts a name server on a free port. */
export async function openNameServer(): Promise<NameServer> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const names = new Map<string, Behaviour>();
  const asked: string[] = [];
  socket.on('message', (message, { port, address }) => {
    const query = decode(message);
    const name = query.questions?.[0]?.name.toLowerCase() ?? '';
    asked.push(name);
    const answer = answerTo(query, names.get(name) ?? 'NXDOMAIN', names);
    if (answer !== undefined) socket.send(encode(answer), port, address);
  });
  return { address: `127.0.0.1:${socket.address().port}`, names, asked, close: () => closed(socket) };
}

function answerTo(
  { id = 0, questions = [] }: DecodedPacket,
  behaviour: Behaviour,
  names: ReadonlyMap<string, Behaviour>,
) {
  const reply = (code: number, answers: readonly Answer[] = []): Packet => ({
    type: 'response',
    id,
    flags: authoritative | code,
    questions,
    answers: [...answers],
  });
  if (behaviour === 'silent') return undefined;
  if (typeof behaviour === 'string') return reply(codes[behaviour]);
  const name = questions[0]?.name ?? '';
  if (!('alias' in behaviour)) return reply(0, texts(name, behaviour));
  const target = names.get(behaviour.alias);
  const alias = { type: 'CNAME', name, ttl: 3600, data: behaviour.alias } as const;
  return reply(0, [
    alias,
    ...(typeof target === 'object' && !('alias' in target) ? texts(behaviour.alias, target) : []),
  ]);
}

const texts = (name: string, records: readonly (readonly string[])[]): readonly Answer[] =>
  records.map((parts) => ({ type: 'TXT', name, ttl: 3600, data: [...parts] }));

const closed = (socket: Socket): Promise<void> => new Promise((resolve) => socket.close(() => resolve()));
