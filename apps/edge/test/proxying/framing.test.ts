import { expect } from 'chai';
import { entriesOf, openEdge, raw, statusesIn, type TestEdge } from '../support/edge.ts';
import { httpOrigin, type TestOrigin } from '../support/origin.ts';
import { originOn, servedZone } from '../support/zones.ts';

const head = 'POST /x HTTP/1.1\r\nHost: a.example\r\n';
const behind = 'GET /smuggled HTTP/1.1\r\nHost: a.example\r\n\r\n';

/** Requests that two servers could read differently, each followed by another request. */
const ambiguous: Readonly<Record<string, string>> = {
  'two lengths': `${head}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc`,
  'the same length twice': `${head}Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc`,
  'a list of lengths': `${head}Content-Length: 3, 3\r\n\r\nabc`,
  'a length with a sign': `${head}Content-Length: +3\r\n\r\nabc`,
  'a hexadecimal length': `${head}Content-Length: 0x3\r\n\r\nabc`,
  'an empty length': `${head}Content-Length: \r\n\r\nabc`,
  'a length and a coding': `${head}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'a coding and a length': `${head}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n`,
  'an unknown coding': `${head}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
  identity: `${head}Transfer-Encoding: identity\r\n\r\n`,
  'another coding before chunked': `${head}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  'chunked before another coding': `${head}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
  'chunked twice': `${head}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'chunked twice in one line': `${head}Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`,
  'chunked in quotes': `${head}Transfer-Encoding: "chunked"\r\n\r\n0\r\n\r\n`,
  'a control character in the coding': `${head}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n`,
  'a coding in HTTP/1.0': 'POST /x HTTP/1.0\r\nHost: a.example\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'a folded line': `${head}X-A: one\r\n two\r\nContent-Length: 0\r\n\r\n`,
  'a folded length': `${head}Content-Length:\r\n 3\r\n\r\nabc`,
  'a first line that is folded': `POST /x HTTP/1.1\r\n Host: a.example\r\n\r\n`,
  'a bare carriage return in a value': `${head}X-A: one\rX-B: two\r\nContent-Length: 0\r\n\r\n`,
  'a bare carriage return as an end of line': 'GET /x HTTP/1.1\rHost: a.example\r\r',
  'a bare line feed after a value': `${head}X-A: one\nContent-Length: 3\r\n\r\nabc`,
  'bare line feeds only': 'GET /x HTTP/1.1\nHost: a.example\n\n',
  'a blank before the colon': `${head}Content-Length : 3\r\n\r\nabc`,
  'a line without a colon': `${head}Content-Length\r\n\r\n`,
  'an empty name': `${head}: 3\r\n\r\n`,
  'a NUL in a value': `${head}X-A: a\0b\r\nContent-Length: 0\r\n\r\n`,
  'a NUL in a name': `${head}X\0A: b\r\nContent-Length: 0\r\n\r\n`,
  'two hosts': 'GET /x HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\n\r\n',
  'the same host twice': 'GET /x HTTP/1.1\r\nHost: a.example\r\nhost: a.example\r\n\r\n',
  'no host': 'GET /x HTTP/1.1\r\n\r\n',
  'an extra word in the request line': 'GET /x y HTTP/1.1\r\nHost: a.example\r\n\r\n',
  'an unknown version': 'GET /x HTTP/1.2\r\nHost: a.example\r\n\r\n',
  'HTTP/0.9': 'GET /x\r\n\r\n',
  'a chunk size that is no number': `${head}Transfer-Encoding: chunked\r\n\r\nxyz\r\nabc\r\n0\r\n\r\n`,
  'a chunk size with a sign': `${head}Transfer-Encoding: chunked\r\n\r\n+3\r\nabc\r\n0\r\n\r\n`,
  'a chunk size with 0x': `${head}Transfer-Encoding: chunked\r\n\r\n0x3\r\nabc\r\n0\r\n\r\n`,
  'a chunk longer than its size': `${head}Transfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n`,
  'a bare line feed after a chunk size': `${head}Transfer-Encoding: chunked\r\n\r\n3\nabc\r\n0\r\n\r\n`,
  'a bare carriage return after a chunk size': `${head}Transfer-Encoding: chunked\r\n\r\n3\r\rabc\r\n0\r\n\r\n`,
  'a chunk size of 17 digits': `${head}Transfer-Encoding: chunked\r\n\r\n10000000000000003\r\nabc\r\n0\r\n\r\n`,
  'a WebSocket handshake with a body':
    'GET /x HTTP/1.1\r\nHost: a.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 40\r\n\r\n',
};

describe('Requests whose framing is ambiguous', () => {
  let origin: TestOrigin;
  let edge: TestEdge;

  before(async () => {
    origin = await httpOrigin();
    edge = await openEdge([servedZone({ backends: [originOn(origin.port)] })]);
  });
  after(async () => {
    await edge.close(0);
    await origin.close();
  });

  for (const [what, bytes] of Object.entries(ambiguous)) {
    it(`are refused, and the connection is closed: ${what}`, async () => {
      const text = await raw(edge, bytes + behind);
      expect(statusesIn(text)).to.deep.equal([400]);
      expect(text).to.match(/connection: close/i);
      expect(origin.received.splice(0).map(({ target }) => target)).to.not.include('/smuggled');
      expect((await entriesOf(edge, 1)).map(({ status }) => status)).to.deep.equal([400]);
      edge.entries.length = 0;
    });
  }

  it('are refused in their turn behind others', async () => {
    const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`;
    const rest = [`${behind}${chunked}3\r\nabcd\r\n`, `${behind}junk\r\n\r\n`, `${behind}CONNECT x:1 HTTP/1.1\r\n\r\n`];
    expect(statusesIn(await raw(edge, rest[0] ?? ''))).to.deep.equal([200, 400]);
    expect(statusesIn(await raw(edge, rest[1] ?? ''))).to.deep.equal([200]);
    expect(statusesIn(await raw(edge, rest[2] ?? ''))).to.deep.equal([200, 400]);
  });
});

describe('Requests in a row on a connection', () => {
  it('reach origins one after another, and a client that sends too many is cut off', async () => {
    let most = 0;
    let present = 0;
    const origin = await httpOrigin((_, response) => {
      most = Math.max(most, (present += 1));
      setImmediate(() => {
        present -= 1;
        response.write('of unknown length');
        response.end();
      });
    });
    const edge = await openEdge([servedZone({ backends: [originOn(origin.port)] })]);
    const last = behind.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    expect(statusesIn(await raw(edge, behind.repeat(20) + last))).to.deep.equal(Array(21).fill(200));
    expect(most).to.equal(1);
    origin.received.length = 0;
    // Its answer has no length, so that the connection ends with it.
    const older = 'GET /1.0 HTTP/1.0\r\nHost: a.example\r\nConnection: keep-alive\r\n\r\n';
    expect(statusesIn(await raw(edge, older.repeat(2)))).to.deep.equal([200]);
    expect(origin.received).to.have.length(1);
    expect(statusesIn(await raw(edge, behind.repeat(1100))).length).to.be.lessThan(1000);
    await edge.close(0);
    await origin.close();
  });
});
