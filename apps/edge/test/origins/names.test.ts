import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { nameLookup } from '../../src/origins/names.ts';

const typeA = 1;

/** A name server that knows an IPv4 address of names that begin with `known`, no others, and is silent about `silent`. */
async function openNameServer() {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    // A header of 12 bytes, the name, and four bytes of type and class (RFC 1035 section 4.1).
    const name = query.toString('latin1', 13, query.indexOf(0, 12));
    if (name.startsWith('silent')) return;
    const type = query.readUInt16BE(query.indexOf(0, 12) + 1);
    const hasAnswer = name.startsWith('known') && type === typeA;
    const answer = hasAnswer ? [0xc0, 12, 0, typeA, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 1] : [];
    const head = Buffer.from(query.subarray(0, query.indexOf(0, 12) + 5));
    head.writeUInt16BE(hasAnswer || name.startsWith('known') ? 0x8180 : 0x8183, 2);
    head.writeUInt16BE(hasAnswer ? 1 : 0, 6);
    head.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([head, Buffer.from(answer)]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { servers: [`127.0.0.1:${socket.address().port}`], close: () => socket.close() };
}

describe('Names of origins', () => {
  it('are looked up by DNS, and silent servers of some delay no others', async () => {
    const server = await openNameServer();
    const addressesOf = nameLookup({ ...server, timeoutMilliseconds: 200 });
    const silent = Array.from({ length: 8 }, (_, index) => addressesOf(`silent${index}.example`).catch(() => 'none'));
    const first = await Promise.race([...silent, addressesOf('known.example')]);
    expect(first).to.deep.equal([{ address: '192.0.2.1', family: 4 }]);
    expect(await addressesOf('other.example').catch(({ code }: NodeJS.ErrnoException) => code)).to.equal('ENOTFOUND');
    expect(new Set(await Promise.all(silent))).to.deep.equal(new Set(['none']));
    server.close();
  });

  it('may be written in the hosts file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hosts-'));
    const hostsFile = join(folder, 'hosts');
    writeFileSync(
      hostsFile,
      '127.0.0.1 localhost\n# 192.0.2.9 origin\n192.0.2.3\tOrigin origin.lan # inside\n::1 origin.lan\n',
    );
    const addressesOf = nameLookup({ hostsFile });
    expect(await addressesOf('origin')).to.deep.equal([{ address: '192.0.2.3', family: 4 }]);
    expect(await addressesOf('ORIGIN.lan')).to.deep.equal([
      { address: '192.0.2.3', family: 4 },
      { address: '::1', family: 6 },
    ]);
    rmSync(folder, { recursive: true });
  });
});
