import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect } from 'chai';
import { type Config, describeConfigError, loadConfig, unknownVariables, warningsOf } from '../src/config.ts';

const configOf = (env: NodeJS.ProcessEnv): Config =>
  loadConfig(env).match(
    (config) => config,
    (errors) => expect.fail(errors.map(describeConfigError).join()),
  );

const linesOf = (env: NodeJS.ProcessEnv): string[] =>
  loadConfig(env).match(
    () => [],
    (errors) => errors.map(describeConfigError),
  );

const production = {
  NODE_ENV: 'production',
  PUBLIC_BASE_URL: 'https://zones.example.com',
  DATABASE_URL: 'postgres://zonewright:secret@db.example.com/zonewright',
  SMTP_URL: 'smtps://mailer:secret@mail.example.com:465',
  MAIL_FROM: 'Zones <zones@example.com>',
};

describe('loadConfig', () => {
  it('needs no variables in development', () => {
    const config = configOf({ PATH: '/bin', HOME: '/root' });
    expect(config).to.deep.equal({
      environment: 'development',
      host: '127.0.0.1',
      port: 3000,
      publicBaseUrl: 'http://localhost:3000',
      databaseUrl: undefined,
      databaseDirectUrl: undefined,
      databasePooler: 'off',
      dataDir: resolve('.data'),
      smtpUrl: undefined,
      mailFrom: { name: 'Zonewright', address: 'no-reply@localhost' },
      verifyEmailUrl: 'http://localhost:3000/verify-email',
      confirmEmailUrl: 'http://localhost:3000/confirm-email',
      undoEmailUrl: 'http://localhost:3000/undo-email',
      resetPasswordUrl: 'http://localhost:3000/reset-password',
      acceptInvitationUrl: 'http://localhost:3000/accept-invitation',
      passwordBlocklistFile: undefined,
      providersFile: undefined,
      keysFile: resolve('.data/keys.json'),
      trustedProxies: [],
      corsOrigins: [],
      passkeyOrigins: [],
      securityContacts: [],
      rateLimits: {
        'login-pair': { points: 5, seconds: 900 },
        'login-net': { points: 60, seconds: 900 },
        'login-account': { points: 50, seconds: 86400 },
        register: { points: 30, seconds: 3600 },
        'forgot-pair': { points: 5, seconds: 900 },
        'forgot-net': { points: 30, seconds: 3600 },
        'resend-pair': { points: 5, seconds: 900 },
        'resend-net': { points: 30, seconds: 3600 },
        reset: { points: 30, seconds: 900 },
        passkey: { points: 300, seconds: 300 },
        verify: { points: 30, seconds: 900 },
        'mfa-user': { points: 10, seconds: 900 },
        'invite-user': { points: 50, seconds: 86400 },
        'invite-address': { points: 3, seconds: 86400 },
        'verify-domain': { points: 10, seconds: 600 },
        refresh: { points: 300, seconds: 300 },
        credentials: { points: 1000, seconds: 300 },
        api: { points: 600, seconds: 60 },
        'api-user': { points: 1200, seconds: 60 },
        evaluate: { points: 600, seconds: 60 },
        analysis: { points: 60, seconds: 60 },
        edge: { points: 3600, seconds: 60 },
        'edge-documents': { points: 60_000, seconds: 60 },
      },
      usageLimits: {
        organizations: 100,
        apiTokens: 50,
        zones: 500,
        backends: 200,
        members: 100,
        domains: 100,
        hostnames: 100,
        origins: 32,
        configurationRules: 100,
        rewriteRules: 200,
        accessRules: 100,
        securityScenarios: 20,
        storageBytes: 1_000_000_000,
        basicAuthUsers: 50,
        changeSets: 50,
        operations: 500,
        conditions: 25,
        addresses: 500,
        values: 250,
        ruleCharacters: 2_000_000,
      },
      rateLimitScale: 1,
      logLevel: 'info',
      dnsServers: [],
      edgeSoakSeconds: 30,
      edgePort: undefined,
      edgeTlsPort: undefined,
      hostNameRules: { own: 'localhost', verification: 'off' },
      originNetworks: [],
      metricsPort: undefined,
      retention: { auditLog: 'forever', history: 'forever', historyDetail: 'forever' },
      databasePool: 20,
      workers: 1,
      databaseRequestIds: false,
      traces: false,
    });
  });

  it('allows origin servers in networks that are not public where they are named', () => {
    expect(configOf({ ORIGIN_NETWORKS: 'off' }).originNetworks).to.deep.equal([]);
    expect(configOf({ ORIGIN_NETWORKS: '10.1.2.3/8, ::1' }).originNetworks).to.deep.equal([
      { family: 4, bits: 0x0a00_0000n, prefix: 8 },
      { family: 6, bits: 1n, prefix: 128 },
    ]);
    const problem = 'is neither off nor a list of addresses or CIDR networks (10.0.0.0/8, ::1)';
    for (const wrong of ['on', '10.0.0.0/33', '10.0.0.0/8,', 'localhost', '10.0.0.0/8 ::1']) {
      expect(linesOf({ ORIGIN_NETWORKS: wrong }), wrong).to.deep.equal([
        `ORIGIN_NETWORKS: ${JSON.stringify(wrong)} ${problem}`,
      ]);
    }
  });

  it('runs an edge on a port of its own, but never in production', () => {
    expect(configOf({ EDGE_PORT: '3080' }).edgePort).to.equal(3080);
    expect(configOf({ EDGE_PORT: 'off' }).edgePort).to.equal(undefined);
    expect(configOf({ ...production, EDGE_PORT: 'off' }).edgePort).to.equal(undefined);
    expect(linesOf({ ...production, EDGE_PORT: '3080' })).to.deep.equal([
      'EDGE_PORT: "3080" is for development only: in production, an edge is started on its own',
    ]);
    for (const wrong of ['on', '0', '65536'])
      expect(linesOf({ EDGE_PORT: wrong })).to.deep.equal([
        `EDGE_PORT: "${wrong}" is neither a port (1..65535) nor off`,
      ]);
  });

  it('verifies host names by DNS in production, and says which name is its own', () => {
    const { hostNameRules } = configOf(production);
    expect(hostNameRules).to.deep.equal({ own: 'zones.example.com', verification: 'dns' });
    expect(configOf({ HOSTNAME_VERIFICATION: 'dns' }).hostNameRules.verification).to.equal('dns');
    expect(configOf({ DNS_SERVERS: '192.0.2.53, [::1]:5353,2001:db8::53, 127.0.0.1:53' }).dnsServers).to.deep.equal([
      '192.0.2.53',
      '[::1]:5353',
      '2001:db8::53',
      '127.0.0.1:53',
    ]);
    for (const wrong of [
      'dns.example.com',
      '192.0.2.53:0',
      '[192.0.2.53]:53',
      '::1:99999x',
      '1.2.3.4:99999',
      'fe80::1%eth0',
    ]) {
      expect(linesOf({ DNS_SERVERS: wrong })).to.have.lengthOf(1);
    }
  });

  it('exports traces if OpenTelemetry has an endpoint, and refuses unsupported options', () => {
    const wanted = [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' },
      { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:4318/v1/traces' },
      { OTEL_TRACES_EXPORTER: 'otlp' },
    ];
    expect(wanted.map((env) => configOf(env).traces)).to.deep.equal([true, true, true]);
    for (const off of [{ OTEL_TRACES_EXPORTER: 'none' }, { OTEL_SDK_DISABLED: 'true' }]) {
      expect(configOf({ ...wanted[0], ...off }).traces, JSON.stringify(off)).to.equal(false);
    }
    expect(linesOf({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).to.deep.equal([
      'OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" is not one of http/protobuf',
    ]);
  });

  it('treats an empty variable as unset', () => {
    expect(loadConfig({ PORT: '', DATABASE_URL: '', NODE_ENV: '', RATE_LIMIT_API: '' })).to.deep.equal(loadConfig({}));
  });

  it('derives links and the keys file from the base URL and the data folder', () => {
    const env = {
      PUBLIC_BASE_URL: 'https://zones.example.com/',
      DATA_DIR: '/srv/zones',
      VERIFY_EMAIL_URL: 'https://app.example.com/v',
    };
    expect(configOf(env)).to.include({
      publicBaseUrl: 'https://zones.example.com',
      verifyEmailUrl: 'https://app.example.com/v',
      resetPasswordUrl: 'https://zones.example.com/reset-password',
      keysFile: '/srv/zones/keys.json',
    });
  });

  const accepted: [Record<string, string>, string, unknown][] = [
    [{ PORT: '0' }, 'port', 0],
    [{ PORT: '65535' }, 'port', 65_535],
    [{ HOST: '::' }, 'host', '::'],
    [{ HOST: '0.0.0.0' }, 'host', '0.0.0.0'],
    [{ METRICS_PORT: '9100' }, 'metricsPort', 9100],
    [{ DATABASE_POOL: '2' }, 'databasePool', 2],
    [{ WORKERS: '4' }, 'workers', 4],
    [{ WORKERS: 'auto' }, 'workers', availableParallelism()],
    [{ WORKERS: '16' }, 'databasePool', 32],
    [
      { AUDIT_RETENTION: '90', HISTORY_RETENTION: 'forever' },
      'retention',
      { auditLog: 90, history: 'forever', historyDetail: 'forever' },
    ],
    [{ LOG_LEVEL: 'silent' }, 'logLevel', 'silent'],
    [{ DATABASE_URL: 'postgres://pooler/zones', DATABASE_POOLER: 'on' }, 'databasePooler', 'on'],
    [{ NODE_ENV: 'test' }, 'environment', 'test'],
    [{ DATABASE_URL: 'postgresql://db/zones?sslmode=require' }, 'databaseUrl', 'postgresql://db/zones?sslmode=require'],
    [
      { DATABASE_URL: 'postgres://pooler/zones', DATABASE_DIRECT_URL: 'postgres://db/zones' },
      'databaseDirectUrl',
      'postgres://db/zones',
    ],
    [{ SMTP_URL: 'smtp://localhost:1025' }, 'smtpUrl', 'smtp://localhost:1025'],
    [{ MAIL_FROM: 'zones@example.com' }, 'mailFrom', { name: '', address: 'zones@example.com' }],
    [{ MAIL_FROM: 'Zönes <zones@example.com>' }, 'mailFrom', { name: 'Zönes', address: 'zones@example.com' }],
    [{ TRUSTED_PROXIES: '10.0.0.0/8, ::1,192.0.2.7' }, 'trustedProxies', ['10.0.0.0/8', '::1', '192.0.2.7']],
    [
      { CORS_ORIGINS: 'https://a.example, http://localhost:5173' },
      'corsOrigins',
      ['https://a.example', 'http://localhost:5173'],
    ],
    [{ PASSKEY_ORIGINS: 'https://app.example.com' }, 'passkeyOrigins', ['https://app.example.com']],
    [{ PUBLIC_BASE_URL: 'http://localhost:8080//' }, 'publicBaseUrl', 'http://localhost:8080'],
  ];
  for (const [env, member, value] of accepted) {
    it(`accepts ${Object.entries(env).join()}`, () => {
      const config: Record<string, unknown> = { ...configOf(env) };
      expect(config[member]).to.deep.equal(value);
    });
  }

  const longUrl = `https://example.com/${'a'.repeat(481)}`;
  const refused: [string, string, string][] = [
    ['PORT', 'abc', 'PORT: "abc" is not a port (1..65535, or 0 for any free one)'],
    ['PORT', '65536', 'PORT: "65536" is not a port (1..65535, or 0 for any free one)'],
    ['PORT', '-1', 'PORT: "-1" is not a port (1..65535, or 0 for any free one)'],
    ['PORT', '3e3', 'PORT: "3e3" is not a port (1..65535, or 0 for any free one)'],
    ['DATABASE_POOL', '1', 'DATABASE_POOL: "1" is not a whole number from 2 to 1000'],
    ['DATABASE_DIRECT_URL', 'postgres://db/zones', 'DATABASE_DIRECT_URL: needs DATABASE_URL, which is not set'],
    ['DATABASE_POOLER', 'prepared', 'DATABASE_POOLER: needs DATABASE_URL, which is not set'],
    ['DATABASE_POOLER', 'yes', 'DATABASE_POOLER: "yes" is not one of off, on, prepared'],
    [
      'DATABASE_DIRECT_URL',
      'mysql://u:hush@db/x',
      'DATABASE_DIRECT_URL: the value is not a postgres:// URL with a host and percent-encoded special characters (postgres://user:password@host:5432/database)',
    ],
    ['AUDIT_RETENTION', '0', 'AUDIT_RETENTION: "0" is neither a whole number of days from 1 to 36500 nor "forever"'],
    ['METRICS_PORT', '3000', 'METRICS_PORT: "3000" is the port of the API itself'],
    ['HOST', 'a b', 'HOST: "a b" is not a host name or address'],
    ['NODE_ENV', 'prod', 'NODE_ENV: "prod" is not one of development, test, production'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL: "loud" is not one of trace, debug, info, warn, error, fatal, silent'],
    [
      'PUBLIC_BASE_URL',
      'zones.example',
      'PUBLIC_BASE_URL: "zones.example" is not an http or https URL without user, query or fragment',
    ],
    [
      'PUBLIC_BASE_URL',
      'https://a.example/?',
      'PUBLIC_BASE_URL: "https://a.example/?" is not an http or https URL without user, query or fragment',
    ],
    [
      'PUBLIC_BASE_URL',
      'https://me:pw@a.example',
      'PUBLIC_BASE_URL: the value is not an http or https URL without user, query or fragment',
    ],
    [
      'RESET_PASSWORD_URL',
      'https://a.example/#x',
      'RESET_PASSWORD_URL: "https://a.example/#x" is not an http or https URL without user or fragment',
    ],
    [
      'MAIL_FROM',
      'Zones <zones>',
      'MAIL_FROM: "Zones <zones>" is not an e-mail address, optionally preceded by a name of at most 100 characters without quotation marks or backslashes (zones@example.com or Zones <zones@example.com>)',
    ],
    [
      'MAIL_FROM',
      'Z\r\nBcc: <a@b.example>',
      'MAIL_FROM: "Z\\r\\nBcc: <a@b.example>" is not an e-mail address, optionally preceded by a name of at most 100 characters without quotation marks or backslashes (zones@example.com or Zones <zones@example.com>)',
    ],
    [
      'TRUSTED_PROXIES',
      '10.0.0.0/33',
      'TRUSTED_PROXIES: "10.0.0.0/33" is not a list of addresses or CIDR networks (10.0.0.0/8, ::1)',
    ],
    [
      'TRUSTED_PROXIES',
      '10.0.0.1,,::1',
      'TRUSTED_PROXIES: "10.0.0.1,,::1" is not a list of addresses or CIDR networks (10.0.0.0/8, ::1)',
    ],
    [
      'SECURITY_CONTACT',
      'security@example.com',
      'SECURITY_CONTACT: "security@example.com" is not a list of contacts (mailto:security@example.com, https://example.com/report)',
    ],
    ['CORS_ORIGINS', '*', 'CORS_ORIGINS: "*" is not a list of origins (https://app.example.com)'],
    [
      'CORS_ORIGINS',
      'https://a.example/path',
      'CORS_ORIGINS: "https://a.example/path" is not a list of origins (https://app.example.com)',
    ],
    [
      'RATE_LIMIT_REFRESH',
      '10',
      'RATE_LIMIT_REFRESH: "10" is not a rate limit (points/seconds, e.g. 30/3600; at most 999999999 points and 2592000 seconds, i.e. 30 days)',
    ],
    [
      'RATE_LIMIT_REFRESH',
      '0/60',
      'RATE_LIMIT_REFRESH: "0/60" is not a rate limit (points/seconds, e.g. 30/3600; at most 999999999 points and 2592000 seconds, i.e. 30 days)',
    ],
    [
      'RATE_LIMIT_SCALE',
      '0',
      'RATE_LIMIT_SCALE: "0" is not a decimal number above 0 and below 1000000 with at most six decimal places',
    ],
    [
      'RATE_LIMIT_SCALE',
      '1000000',
      'RATE_LIMIT_SCALE: "1000000" is not a decimal number above 0 and below 1000000 with at most six decimal places',
    ],
    [
      'RATE_LIMIT_SCALE',
      '1e3',
      'RATE_LIMIT_SCALE: "1e3" is not a decimal number above 0 and below 1000000 with at most six decimal places',
    ],
    [
      'RATE_LIMIT_SCALE',
      '0.0000001',
      'RATE_LIMIT_SCALE: "0.0000001" is not a decimal number above 0 and below 1000000 with at most six decimal places',
    ],
    [
      'RATE_LIMIT_API',
      '1000000000/60',
      'RATE_LIMIT_API: "1000000000/60" is not a rate limit (points/seconds, e.g. 30/3600; at most 999999999 points and 2592000 seconds, i.e. 30 days)',
    ],
    [
      'RATE_LIMIT_API',
      '10/2592001',
      'RATE_LIMIT_API: "10/2592001" is not a rate limit (points/seconds, e.g. 30/3600; at most 999999999 points and 2592000 seconds, i.e. 30 days)',
    ],
    [
      'LIMIT_REWRITE_RULES_PER_ZONE',
      '1001',
      'LIMIT_REWRITE_RULES_PER_ZONE: "1001" is not a whole number from 0 to 1000',
    ],
    [
      'LIMIT_ZONES_PER_ORGANIZATION',
      '1e3',
      'LIMIT_ZONES_PER_ORGANIZATION: "1e3" is not a whole number from 0 to 100000',
    ],
    ['PASSWORD_BLOCKLIST_FILE', '/', 'PASSWORD_BLOCKLIST_FILE: "/" is a folder'],
    ['PUBLIC_BASE_URL', longUrl, `PUBLIC_BASE_URL: "${longUrl.slice(0, 80)}…" is longer than 500 characters`],
    ['CORS_ORIGINS', longUrl.repeat(20), `CORS_ORIGINS: "${longUrl.slice(0, 80)}…" is longer than 10000 characters`],
    ['PASSWORD_BLOCKLIST_FILE', '/nowhere/list', 'PASSWORD_BLOCKLIST_FILE: "/nowhere/list" cannot be read'],
  ];
  for (const [name, value, line] of refused) {
    it(`rejects ${name}=${JSON.stringify(value.slice(0, 80))} with one line`, () => {
      expect(linesOf({ [name]: value })).to.deep.equal([line]);
    });
  }

  for (const value of [
    'mysql://u:hush@db/x',
    'postgres://',
    'postgres://u:hush@db:99999/x',
    'postgres://u:%hush@db/x',
    'hush',
  ]) {
    it(`refuses DATABASE_URL=${value} without repeating a possible password`, () => {
      const line =
        'DATABASE_URL: the value is not a postgres:// URL with a host and percent-encoded special characters (postgres://user:password@host:5432/database)';
      expect(linesOf({ DATABASE_URL: value })).to.deep.equal([line]);
    });
  }

  it('refuses fewer connections than processes need', () => {
    expect(linesOf({ WORKERS: '4', DATABASE_POOL: '7' })).to.deep.equal([
      'DATABASE_POOL: "7" is too few for 4 processes (WORKERS), which need 2 each',
    ]);
  });

  it('reports all errors at once', () => {
    const lines = linesOf({ ...production, PORT: 'x', LOG_LEVEL: 'y', SMTP_URL: '' });
    expect(lines.map((line) => line.split(':')[0])).to.have.members(['PORT', 'LOG_LEVEL', 'SMTP_URL']);
  });

  it('detects a misspelt rate limit', () => {
    const [line, ...rest] = linesOf({ RATE_LIMIT_LOGIN: '1/1' });
    expect(line).to.match(
      /^RATE_LIMIT_LOGIN: is not a known rate limit variable \(known: RATE_LIMIT_LOGIN_PAIR, .*, RATE_LIMIT_SCALE\)$/,
    );
    expect(rest).to.deep.equal([]);
  });

  it('reads limits, and detects a misspelt one', () => {
    const given = { LIMIT_REWRITE_RULES_PER_ZONE: '1000', LIMIT_OPERATIONS_PER_CHANGE_SET: '0' };
    expect(configOf(given).usageLimits).to.include({ rewriteRules: 1000, operations: 0, accessRules: 100 });
    const [line, ...rest] = linesOf({ LIMIT_ZONES: '1' });
    expect(line).to.match(/^LIMIT_ZONES: is not a known limit variable \(known: .*LIMIT_ZONES_PER_ORGANIZATION.*\)$/);
    expect(rest).to.deep.equal([]);
  });

  it('multiplies the points of every limiter by the scale, but never to zero', () => {
    const raised = configOf({ RATE_LIMIT_SCALE: '10', RATE_LIMIT_RESET: '7/60' });
    expect(raised.rateLimits['login-pair']).to.deep.equal({ points: 50, seconds: 900 });
    expect(raised.rateLimits.reset).to.deep.equal({ points: 70, seconds: 60 });
    expect(raised.rateLimitScale).to.equal(10);
    expect(configOf({ RATE_LIMIT_SCALE: '0.01' }).rateLimits['login-pair'].points).to.equal(1);
  });

  it('gives a user twice the points of a credential by default', () => {
    const perUser = (variables: Readonly<Record<string, string>>) => configOf(variables).rateLimits['api-user'];
    expect(perUser({})).to.deep.equal({ points: 1200, seconds: 60 });
    expect(perUser({ RATE_LIMIT_API: '30/10' })).to.deep.equal({ points: 60, seconds: 10 });
    expect(perUser({ RATE_LIMIT_API: '30/10', RATE_LIMIT_API_USER: '7/5' })).to.deep.equal({ points: 7, seconds: 5 });
    expect(perUser({ RATE_LIMIT_API: '30/10', RATE_LIMIT_SCALE: '10' })).to.deep.equal({ points: 600, seconds: 10 });
    expect(configOf({ RATE_LIMIT_API: '30/10' }).rateLimits.evaluate).to.deep.equal({ points: 30, seconds: 10 });
  });

  it('starts in production with the four required variables', () => {
    expect(configOf(production)).to.include({
      environment: 'production',
      databaseUrl: production.DATABASE_URL,
    });
  });

  for (const name of ['PUBLIC_BASE_URL', 'DATABASE_URL', 'SMTP_URL', 'MAIL_FROM']) {
    it(`requires ${name} in production`, () => {
      expect(linesOf({ ...production, [name]: '' })).to.deep.equal([`${name}: is required in production`]);
    });
  }

  const pages = [
    'PUBLIC_BASE_URL',
    'VERIFY_EMAIL_URL',
    'CONFIRM_EMAIL_URL',
    'UNDO_EMAIL_URL',
    'RESET_PASSWORD_URL',
    'ACCEPT_INVITATION_URL',
  ] as const;

  it('refuses unencrypted links in production, one line each', () => {
    const plain = Object.fromEntries(pages.map((name) => [name, 'http://zones.example.com/x']));
    expect(linesOf({ ...production, ...plain })).to.deep.equal(
      pages.map(
        (name) =>
          `${name}: "http://zones.example.com/x" must use https in production unless the host is a loopback address`,
      ),
    );
    expect(linesOf(plain)).to.deep.equal([]);
    expect(linesOf({ ...production, PUBLIC_BASE_URL: 'http://zones.example.com' })).to.have.length(1);
    expect(linesOf({ ...production, PUBLIC_BASE_URL: 'zones' })).to.deep.equal([
      'PUBLIC_BASE_URL: "zones" is not an http or https URL without user, query or fragment',
    ]);
  });

  for (const host of ['localhost', 'LOCALHOST:8080', '127.0.0.1', '127.8.9.10:3000', '[::1]:3000']) {
    it(`accepts http in production for the loopback host ${host}`, () => {
      const links = Object.fromEntries(pages.map((name) => [name, `http://${host}`]));
      expect(linesOf({ ...production, ...links })).to.deep.equal([]);
    });
  }

  for (const host of ['localhost.example.com', '128.0.0.1', '[::2]', '0.0.0.0', '127.example.com']) {
    it(`refuses http in production for the host ${host}`, () => {
      expect(linesOf({ ...production, PUBLIC_BASE_URL: `http://${host}` })).to.have.length(1);
    });
  }

  it('refuses the load-test switch in production', () => {
    expect(linesOf({ ...production, RATE_LIMIT_SCALE: '2' })).to.deep.equal([
      'RATE_LIMIT_SCALE: "2" is for load tests only and not allowed in production',
    ]);
  });
});

describe('unknownVariables', () => {
  const line = (variable: string, closest: string) =>
    `${variable}: is not a known variable, and has no effect; the closest is ${closest}`;
  for (const [variable, closest] of [
    ['RATE_LMIT_LOGIN_PAIR', 'RATE_LIMIT_LOGIN_PAIR'],
    ['LIMITS_ZONES_PER_ORGANIZATION', 'LIMIT_ZONES_PER_ORGANIZATION'],
    ['DATABASE_POOL_SIZE', 'DATABASE_POOL'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['AUDIT_RETENTION_DAYS', 'AUDIT_RETENTION'],
  ] as const)
    it(`warns about ${variable}, and names ${closest}`, () => {
      expect(unknownVariables({ ...production, [variable]: 'hush' })).to.deep.equal([line(variable, closest)]);
    });

  it('says nothing about known, empty or foreign variables', () => {
    const foreign = { PATH: '/bin', HOSTNAME: 'a', MAIL: '/var/mail', PGHOST: 'b', OTEL_SERVICE_NAME: 'c', LANG: 'C' };
    const known = { LIMIT_ZONES_PER_ORGANIZATION: '5', RATE_LIMIT_RESET: '1/1', WORKERS: '2' };
    expect(unknownVariables({ ...production, ...foreign, ...known, RATE_LMIT: '' })).to.deep.equal([]);
  });

  it('warns about a file .env with variables that the environment lacks, without their values', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'zonewright-config-')), '.env');
    writeFileSync(file, 'PORT=8080\nSMTP_URL="smtps://hush@mail"\nOTHER=1\n');
    expect(unknownVariables({ SMTP_URL: 'smtps://mail' }, file)).to.deep.equal([
      `${file} is not read, which sets PORT; to export what is in it: set -a; . ./.env; set +a`,
    ]);
    expect(unknownVariables({ PORT: '1', SMTP_URL: 'smtps://mail' }, file)).to.deep.equal([]);
    rmSync(dirname(file), { recursive: true });
  });
});

describe('warningsOf', () => {
  const warnings = (databaseUrl: string, NODE_ENV = 'production') =>
    warningsOf(configOf({ ...production, NODE_ENV, DATABASE_URL: databaseUrl }));

  for (const url of [
    'postgres://u:hush@db.example.com/zones',
    'postgres://u:hush@db.example.com/zones?sslmode=disable',
    'postgres://u:hush@db.example.com/zones?sslmode=prefer',
    'postgres://u:hush@db.example.com/zones?sslmode=no-verify',
    'postgres://u:hush@db.example.com/zones?ssl=false',
    'postgres://u:hush@db.example.com/zones?ssl=true&sslmode=disable',
    'postgres://u:hush@localhost/zones?host=db.example.com',
  ]) {
    it(`warns about ${url}, without the password, and only in production`, () => {
      expect(warnings(url)).to.deep.equal([
        'DATABASE_URL: the connection to the database is not encrypted; add sslmode=verify-full',
      ]);
      expect(warnings(url, 'development')).to.deep.equal([]);
    });
  }

  it('also warns about the direct database URL', () => {
    const given = {
      DATABASE_URL: 'postgres://u@localhost/zones',
      DATABASE_DIRECT_URL: 'postgres://u@db.example.com/zones',
    };
    expect(warningsOf(configOf({ ...production, ...given }))).to.deep.equal([
      'DATABASE_DIRECT_URL: the connection to the database is not encrypted; add sslmode=verify-full',
    ]);
  });

  for (const url of [
    'postgres://u@db.example.com/zones?sslmode=require',
    'postgres://u@db.example.com/zones?sslmode=verify-ca',
    'postgres://u@db.example.com/zones?sslmode=verify-full',
    'postgres://u@db.example.com/zones?ssl=true',
    'postgres://u@localhost/zones',
    'postgres://u@127.0.0.1:5432/zones',
    'postgres://u@[::1]/zones',
    'postgres://u@%2Fvar%2Frun%2Fpostgresql/zones',
    'postgres:///zones?host=/var/run/postgresql',
  ]) {
    it(`does not warn about ${url}`, () => {
      expect(warnings(url)).to.deep.equal([]);
    });
  }
});
