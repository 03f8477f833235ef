import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { readSettings } from '../../src/settings/settings.ts';
import { errorOf, valueOf } from '../support/outcomes.ts';

const service = { SERVICE_URL: 'https://zones.example.com/' };
const mistakes = (env: NodeJS.ProcessEnv): readonly string[] => errorOf(readSettings(env));

describe('readSettings', () => {
  it('has a default for everything but the service', () => {
    expect(valueOf(readSettings({ ...service, EDGE_TOKEN: '' }))).to.deep.equal({
      serviceUrl: 'https://zones.example.com',
      token: undefined,
      stateDir: resolve('.data/edge'),
      host: '127.0.0.1',
      port: 3080,
      tlsPort: undefined,
      privateHost: '127.0.0.1',
      privatePort: 3081,
      trustedProxies: [],
      proxyProtocol: false,
      countryDb: undefined,
      asnDb: undefined,
      staleAfterSeconds: undefined,
      originNetworks: [],
      logLevel: 'info',
      logsClients: false,
      workers: 1,
    });
  });

  it('reads every variable', () => {
    const folder = mkdtempSync(join(tmpdir(), 'edge-settings-'));
    const file = join(folder, 'country.mmdb');
    writeFileSync(file, 'x');
    const settings = valueOf(
      readSettings({
        SERVICE_URL: 'http://localhost:3000/base/',
        EDGE_TOKEN: 'zwt_1',
        STATE_DIR: folder,
        HOST: '::',
        PORT: '80',
        PRIVATE_HOST: '10.0.0.1',
        PRIVATE_PORT: '0',
        TRUSTED_PROXIES: '10.0.0.0/8, ::1',
        PROXY_PROTOCOL: 'on',
        COUNTRY_DB: file,
        ASN_DB: file,
        VARNISH_SOCKET: 'off',
        EDGE_STALE_AFTER: '60',
        ORIGIN_NETWORKS: '127.0.0.0/8,::1/128',
        LOG_LEVEL: 'debug',
        LOG_CLIENTS: 'on',
        EDGE_TLS_PORT: '3443',
        WORKERS: '4',
      }),
    );
    rmSync(folder, { recursive: true });
    expect(settings).to.deep.equal({
      serviceUrl: 'http://localhost:3000/base',
      token: 'zwt_1',
      stateDir: folder,
      host: '::',
      port: 80,
      privateHost: '10.0.0.1',
      privatePort: 0,
      trustedProxies: [
        { family: 4, bits: 0x0a00_0000n, prefix: 8 },
        { family: 6, bits: 1n, prefix: 128 },
      ],
      proxyProtocol: true,
      countryDb: file,
      asnDb: file,
      staleAfterSeconds: 60,
      originNetworks: [
        { family: 4, bits: 0x7f00_0000n, prefix: 8 },
        { family: 6, bits: 1n, prefix: 128 },
      ],
      logLevel: 'debug',
      logsClients: true,
      tlsPort: 3443,
      workers: 4,
    });
  });

  it('refuses a service on another machine without TLS in production', () => {
    const problemsOf = (url: string, environment = 'production') =>
      readSettings({ SERVICE_URL: url, NODE_ENV: environment }).match(
        () => [],
        (problems) => problems,
      );
    expect(problemsOf('http://zones.example.com')).to.deep.equal([
      'SERVICE_URL: "http://zones.example.com" must begin with https:// in production, except on the machine itself',
    ]);
    for (const host of ['localhost:3000', '127.0.0.1', '[::1]:3000'])
      expect(problemsOf(`http://${host}`)).to.deep.equal([]);
    expect(problemsOf('https://zones.example.com')).to.deep.equal([]);
    expect(problemsOf('http://zones.example.com', 'development')).to.deep.equal([]);
  });

  it('reports all mistakes at once, one line each', () => {
    const lines = mistakes({
      SERVICE_URL: 'zones.example.com',
      PORT: '65536',
      PRIVATE_HOST: 'a b',
      TRUSTED_PROXIES: '10.0.0.0/33',
      PROXY_PROTOCOL: 'v2',
      VARNISH_SOCKET: '/run/varnish.sock',
      EDGE_STALE_AFTER: '0',
      ORIGIN_NETWORKS: 'all',
      LOG_LEVEL: 'loud',
      WORKERS: '0',
    });
    expect(lines).to.deep.equal([
      'SERVICE_URL: "zones.example.com" is not an http or https URL without user, query or fragment',
      'PORT: "65536" is not a port (1..65535, or 0 for any free one)',
      'PRIVATE_HOST: "a b" is not a host name or address',
      'TRUSTED_PROXIES: "10.0.0.0/33" is not a list of addresses or CIDR networks (10.0.0.0/8, ::1)',
      'PROXY_PROTOCOL: "v2" is not one of on, off',
      'VARNISH_SOCKET: "/run/varnish.sock" is not one of off',
      'EDGE_STALE_AFTER: "0" is neither a whole number of seconds from 1 to 31536000 nor never',
      'ORIGIN_NETWORKS: "all" is neither off nor a list of addresses or CIDR networks (10.0.0.0/8, ::1)',
      'LOG_LEVEL: "loud" is not one of trace, debug, info, warn, error, fatal, silent',
      'WORKERS: "0" is neither a whole number from 1 to 256 nor auto',
    ]);
  });

  it('requires the service', () => {
    expect(mistakes({})).to.deep.equal(['SERVICE_URL: is required']);
  });

  it('requires files that are named, and two ports', () => {
    expect(mistakes({ ...service, COUNTRY_DB: '/nowhere.mmdb', ASN_DB: '/tmp', PRIVATE_PORT: '3080' })).to.deep.equal([
      'PRIVATE_PORT: "3080" is the port of the edge itself',
      'COUNTRY_DB: "/nowhere.mmdb" cannot be read',
      'ASN_DB: "/tmp" is not a file',
    ]);
  });

  it('shows no secret', () => {
    const lines = mistakes({ SERVICE_URL: 'https://user:hidden@zones.example.com', EDGE_TOKEN: 'hidden hidden' });
    expect(lines).to.deep.equal([
      'SERVICE_URL: the value is not an http or https URL without user, query or fragment',
      'EDGE_TOKEN: the value is not an enrolment token',
    ]);
  });
});
