import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** An exported span. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
}

/** Receives traces by OTLP over HTTP (protobuf) and collects the spans. */
export async function openTraceReceiver() {
  const spans: ReceivedSpan[] = [];
  const keep = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    if (request.url === '/v1/traces') spans.push(...spansIn(body));
    response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end();
  };
  const server = createServer((request, response) => void keep(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // It listens on a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Field numbers of opentelemetry/proto/trace/v1/trace.proto. */
function spansIn(body: Buffer): ReceivedSpan[] {
  const below = (messages: readonly Buffer[], field: number) => messages.flatMap((each) => partsOf(each, field));
  return below(below(below([body], 1), 2), 2).map((span) => ({
    traceId: hexOf(span, 1),
    spanId: hexOf(span, 2),
    parentSpanId: hexOf(span, 4),
    name: textOf(span, 5),
    attributes: Object.fromEntries(
      partsOf(span, 9).map((pair) => {
        const [value = Buffer.alloc(0)] = partsOf(pair, 2);
        const number = fieldsOf(value).find(({ field }) => field === 3)?.value;
        return [textOf(pair, 1), typeof number === 'number' ? number : textOf(value, 1)];
      }),
    ),
  }));
}

const partsOf = (message: Buffer, wanted: number): Buffer[] =>
  fieldsOf(message).flatMap(({ field, value }) => (field === wanted && typeof value !== 'number' ? [value] : []));
const textOf = (message: Buffer, field: number): string => partsOf(message, field)[0]?.toString('utf8') ?? '';
const hexOf = (message: Buffer, field: number): string => partsOf(message, field)[0]?.toString('hex') ?? '';

/** Decodes the protobuf wire format: varints and length-delimited fields; fixed-width ones are skipped. */
function fieldsOf(message: Buffer) {
  const fields: { readonly field: number; readonly value: Buffer | number }[] = [];
  let at = 0;
  const varint = (): number => {
    let [value, scale] = [0, 1];
    for (;;) {
      const byte = message[at] ?? 0;
      at += 1;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  };
  while (at < message.length) {
    const key = varint();
    const [field, kind] = [Math.floor(key / 8), key % 8];
    if (kind === 0) fields.push({ field, value: varint() });
    else {
      const length = kind === 2 ? varint() : kind === 1 ? 8 : 4;
      if (kind === 2) fields.push({ field, value: message.subarray(at, at + length) });
      at += length;
    }
  }
  return fields;
}
