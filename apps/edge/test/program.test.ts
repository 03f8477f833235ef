import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { startEdgeProcess } from './support/edge-process.ts';
import { askAt, startTestEdge } from './support/running-edge.ts';
import { applied, stage } from './support/stage.ts';

describe('the program of the edge', function () {
  // From source, each start takes seconds.
  this.timeout(60_000);
  const { service, place, start } = stage();
  const env = () => ({ SERVICE_URL: service().url, STATE_DIR: place().path });
  const failure = (started: Promise<unknown>): Promise<string> =>
    started.then(
      () => 'started',
      (error: Error) => error.message,
    );

  it('exits with 1 and a line for each wrong setting', async () => {
    const { code, output, errors } = await startEdgeProcess({ PORT: 'x', LOG_LEVEL: 'loud' }).exited;
    expect({ code, output }).to.deep.equal({ code: 1, output: '' });
    expect(
      errors
        .trim()
        .split('\n')
        .map((line) => line.split(':')[0]),
    ).to.deep.equal(['SERVICE_URL', 'PORT', 'LOG_LEVEL']);
  });

  it('enrols at its first start, needs no token then, and ends with 0 at a signal', async () => {
    service().put({ id: 'a', revision: 3 });
    const variables = env();
    const first = startEdgeProcess({ ...variables, EDGE_TOKEN: service().addToken() });
    await first.serving;
    await service().reported(applied(1));
    first.kill('SIGTERM');
    const { code, errors } = await first.exited;
    expect({ code, errors }).to.deep.equal({ code: 0, errors: '' });
    await service().close();
    const second = startEdgeProcess(variables);
    const { port } = await second.serving;
    expect(await askAt(port, 'a.example')).to.deep.equal({ status: 200, revision: '3' });
    second.kill('SIGTERM');
    expect((await second.exited).output).not.to.include('zwe_');
  });

  it('enrols by a command of its own, once', async () => {
    const token = service().addToken('shop-edge');
    const { code, output } = await startEdgeProcess({ ...env(), EDGE_TOKEN: token }, 'enrol').exited;
    expect({ code, output }).to.deep.equal({ code: 0, output: 'Enrolled as shop-edge.\n' });
    const again = await startEdgeProcess({ ...env(), EDGE_TOKEN: token }, 'enrol').exited;
    expect({ code: again.code, errors: again.errors }).to.deep.equal({
      code: 1,
      errors: 'STATE_DIR: has the key of an enrolled edge; enrol another edge in another folder\n',
    });
  });

  it('needs a token until it is enrolled', async () => {
    const started = startTestEdge(service(), place(), { EDGE_TOKEN: '' });
    expect(await failure(started)).to.equal(
      'EDGE_TOKEN: is required until this edge is enrolled ("zonewright edges add" prints one)',
    );
  });

  it('fails with a line if the service refuses the token', async () => {
    const edge = await start({ EDGE_TOKEN: 'zwt_used' });
    expect(String(await edge.failed)).to.equal(
      'Error: EDGE_TOKEN: the service refuses the value; a token is good for one enrolment within 24 hours',
    );
  });

  it('names the port that is in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    // A server that listens on a port has such an address.
    const PORT = String((other.address() as AddressInfo).port);
    const lines = [
      await failure(startTestEdge(service(), place(), { PORT })),
      await failure(startTestEdge(service(), place(), { PRIVATE_PORT: PORT })),
    ];
    other.close();
    expect(lines).to.deep.equal([
      `PORT: ${PORT} on 127.0.0.1 is in use`,
      `PRIVATE_PORT: ${PORT} on 127.0.0.1 is in use`,
    ]);
  });

  it('refuses a state folder that another edge uses', async () => {
    await start();
    expect(await failure(startTestEdge(service(), place()))).to.equal(
      `STATE_DIR: ${JSON.stringify(place().path)} is in use by another edge`,
    );
  });
});
