import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { attempt } from './private-file.ts';

/** A warning about an environment file, which nothing reads, if it has variables of ours that the environment lacks. */
export function ignoredEnvFile(env: NodeJS.ProcessEnv, known: readonly string[], path: string): readonly string[] {
  const lacking = attempt(() => parseEnv(readFileSync(path, 'utf8')))
    .map((given) => known.filter((name) => given[name] !== undefined && env[name] === undefined))
    .unwrapOr([]);
  return lacking.length === 0
    ? []
    : [`${path} is not read, which sets ${lacking.join(', ')}; to export what is in it: set -a; . ./.env; set +a`];
}
