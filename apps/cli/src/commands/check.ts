import { existsSync } from 'node:fs';
import {
  type Config,
  describeConfigError,
  loadConfig,
  openKeys,
  readProviders,
  unknownVariables,
  warningsOf,
} from '@zonewright/configuration';
import { pendingMigrations, serverFacts } from '@zonewright/postgres';
import { missingSettings } from '@zonewright/postgres-operations';
import { probeSmtp } from '@zonewright/smtp';
import { type Deployment, openDeployment } from '../installation.ts';
import { type Report, table } from '../report.ts';

/** The result of one check. */
interface Finding {
  readonly what: 'configuration' | 'keys' | 'database' | 'migrations' | 'mail' | 'providers';
  readonly ok: boolean;
  readonly detail: string;
}

/** Checks everything that starting the service requires, without changing anything. */
export async function check(env: NodeJS.ProcessEnv): Promise<Report> {
  const findings = await findingsIn(env);
  return {
    json: findings,
    lines: table(
      ['', '', ''],
      findings.map(({ what, ok, detail }) => [ok ? 'ok' : 'FAILED', what, detail]),
    ).slice(1),
    isFailure: findings.some(({ ok }) => !ok),
  };
}

async function findingsIn(env: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  const config = loadConfig(env);
  if (config.isErr()) {
    return config.error.map((error) => ({ what: 'configuration', ok: false, detail: describeConfigError(error) }));
  }
  const { environment, smtpUrl } = config.value;
  const warnings = [...warningsOf(config.value), ...unknownVariables(env)];
  return [
    { what: 'configuration', ok: true, detail: [environment, ...warnings].join('; ') },
    keysFinding(config.value),
    ...(await databaseFindings(env)),
    await mailFinding(smtpUrl, environment === 'production'),
    ...(await providersFindings(config.value)),
  ];
}

/** Nothing if nobody signs in by a provider. */
async function providersFindings({ providersFile, environment }: Config): Promise<readonly Finding[]> {
  const read = readProviders(providersFile, { production: environment === 'production' });
  if (read.isErr()) {
    return read.error.map((error) => ({ what: 'providers', ok: false, detail: describeConfigError(error) }));
  }
  if (read.value.length === 0) return [];
  const { providerProblems } = await import('@zonewright/federation');
  // Where browsers come back to is part of no question that is asked here.
  const problems = await providerProblems(read.value, { callbackUrl: () => 'http://localhost/' });
  if (problems.length > 0) return problems.map((detail) => ({ what: 'providers', ok: false, detail }));
  return [{ what: 'providers', ok: true, detail: read.value.map(({ id }) => id).join(', ') }];
}

function keysFinding({ keysFile, environment }: Config): Finding {
  if (environment !== 'production' && !existsSync(keysFile)) {
    return { what: 'keys', ok: true, detail: 'the first start makes them' };
  }
  return openKeys(keysFile, { createIfMissing: false }).match(
    () => ({ what: 'keys', ok: true, detail: keysFile }),
    (errors) => ({ what: 'keys', ok: false, detail: errors.map(describeConfigError).join('; ') }),
  );
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function databaseFindings(env: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  let deployment: Deployment | undefined;
  try {
    deployment = await openDeployment(env);
    const { version, number } = await serverFacts(deployment.databaseUrl);
    const missing = await missingSettings(deployment.databaseUrl, deployment.config.databasePooler);
    const pending = await pendingMigrations(deployment.databaseUrl);
    return [
      {
        what: 'database',
        ok: number >= 150_000 && missing.length === 0,
        detail: [`PostgreSQL ${version}`, ...missing].join('; needs '),
      },
      {
        what: 'migrations',
        ok: pending.length === 0,
        detail: pending.length === 0 ? 'all applied' : `${pending.length} not applied: ${pending.join(', ')}`,
      },
    ];
  } catch (error) {
    return [{ what: 'database', ok: false, detail: reasonOf(error) }];
  } finally {
    await deployment?.close();
  }
}

async function mailFinding(smtpUrl: string | undefined, requireTls: boolean): Promise<Finding> {
  if (smtpUrl === undefined) return { what: 'mail', ok: true, detail: 'mails are saved as files' };
  const problem = await probeSmtp({ url: smtpUrl, requireTls });
  const { host } = new URL(smtpUrl);
  return { what: 'mail', ok: problem === undefined, detail: problem ?? `${host} accepts the connection and the login` };
}
