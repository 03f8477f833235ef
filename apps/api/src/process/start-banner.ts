import { join } from 'node:path';
import { type Config, version } from '@zonewright/configuration';

/** Where requests are answered; `edge` is undefined if none runs beside the service. */
interface Addresses {
  readonly api: string;
  readonly edge: string | undefined;
}

/** What a developer sees after startup: where everything is, and two requests to try. */
export function startBanner(config: Config, { api: url, edge }: Addresses): string {
  const database =
    config.databaseUrl === undefined ? 'embedded PostgreSQL' : `PostgreSQL at ${hostOf(config.databaseUrl)}`;
  const mails =
    config.smtpUrl === undefined
      ? `printed here and saved in ${join(config.dataDir, 'mails')}`
      : `sent via ${hostOf(config.smtpUrl)}`;
  return `
Zonewright ${version} is running.

  API       ${url}
  Docs      ${url}/api/docs
  Edge      ${edge ?? 'none'}
  Database  ${database}
  Data      ${config.dataDir}
  Mails     ${mails}

Try it:

  curl -s ${url}/healthz
  curl -s ${url}/api/auth/register -H 'Content-Type: application/json' \\
    -d '{"email":"you@example.com","password":"Correct-Horse-7","firstName":"Ada","lastName":"Lovelace"}'

Press Ctrl-C to stop.

`;
}

/** Never the whole URL: it may contain a password. */
const hostOf = (url: string): string => new URL(url).host || 'a local socket';
