import { expect } from 'chai';
import { startEdgeProcess } from './support/edge-process.ts';
import { stage } from './support/stage.ts';

describe('an edge of several processes that cannot listen', () => {
  const { service, place } = stage();

  it('exits with a line if its port is taken', async function () {
    this.timeout(60_000);
    const PORT = new URL(service().url).port;
    const env = { SERVICE_URL: service().url, STATE_DIR: place().path, EDGE_TOKEN: service().addToken() };
    const { code, errors } = await startEdgeProcess({ ...env, WORKERS: '2', PORT }).exited;
    expect({ code, errors }).to.deep.equal({ code: 1, errors: `PORT: ${PORT} on 127.0.0.1 is in use\n` });
  });
});
