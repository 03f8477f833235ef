import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import getPort from 'get-port';
import { type Program, startProgram } from '../databases/support/debian.ts';
import { until } from '../faults/support/until.ts';

/** A series in a response: labels, and pairs of seconds and a number as text. */
export interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly (readonly [seconds: number, value: string])[];
}

/** Seconds since 1970. */
export interface Range {
  readonly start: number;
  readonly end: number;
  readonly step: number;
}

/** A rule as Prometheus last evaluated it. */
export interface EvaluatedRule {
  readonly name: string;
  readonly state: 'inactive' | 'pending' | 'firing';
  readonly health: string;
  readonly lastError?: string;
}

/** The scraped instances by name, with host and port of their metrics. */
export type Instances = Readonly<Record<string, string>>;

const scrapeSeconds = 5;

/** As Grafana computes it: at least four scrapes per interval. */
const rateInterval = (step: number): string => `${Math.max(step + scrapeSeconds, 4 * scrapeSeconds)}s`;

/** A real Prometheus that scrapes the service as in production, and evaluates the alerting rules. */
export class Prometheus {
  readonly #url: string;
  readonly #program: Program;

  private constructor(url: string, program: Program) {
    this.#url = url;
    this.#program = program;
  }

  /** Rejects unless it is ready within 20 seconds. */
  static async start(folder: string, instances: Instances, rulesFile: string): Promise<Prometheus> {
    mkdirSync(folder);
    const config = join(folder, 'prometheus.yml');
    writeFileSync(config, JSON.stringify(configurationOf(instances, rulesFile)));
    const address = `127.0.0.1:${await getPort({ host: '127.0.0.1' })}`;
    const data = join(folder, 'data');
    const args = [`--config.file=${config}`, `--storage.tsdb.path=${data}`, `--web.listen-address=${address}`];
    const prometheus = new Prometheus(`http://${address}`, startProgram('prometheus', args, { cwd: folder }));
    await until(() => prometheus.#isReady());
    return prometheus;
  }

  /** Rejects with Prometheus' error for an invalid expression. */
  async range(expression: string, { start, end, step }: Range): Promise<readonly Series[]> {
    const query = expression.replaceAll('$__rate_interval', rateInterval(step));
    const parameters = new URLSearchParams({ query, start: `${start}`, end: `${end}`, step: `${step}` });
    const { result } = await this.#ask<{ readonly result: readonly Series[] }>(`query_range?${parameters.toString()}`);
    return result;
  }

  async rules(): Promise<readonly EvaluatedRule[]> {
    const { groups } = await this.#ask<{ readonly groups: readonly { readonly rules: readonly EvaluatedRule[] }[] }>(
      'rules',
    );
    return groups.flatMap(({ rules }) => rules);
  }

  end(): Promise<void> {
    return this.#program.end();
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the path determines the response type
  async #ask<T>(path: string): Promise<T> {
    const reply = await fetch(`${this.#url}/api/v1/${path}`);
    // The envelope of Prometheus' HTTP API.
    const { status, data, error } = (await reply.json()) as { status: string; data: T; error?: string };
    if (status !== 'success') throw new Error(`${path}: ${error}`);
    return data;
  }

  #isReady(): Promise<boolean> {
    return fetch(`${this.#url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  }
}

/** The output of `promtool check rules`; throws its error output for an invalid file. */
export const checkRules = (file: string): string =>
  execFileSync('promtool', ['check', 'rules', file], { encoding: 'utf8' });

/** JSON is valid YAML. */
const configurationOf = (instances: Instances, rulesFile: string) => ({
  global: { scrape_interval: `${scrapeSeconds}s`, evaluation_interval: `${scrapeSeconds}s` },
  rule_files: [rulesFile],
  scrape_configs: [
    {
      job_name: 'zonewright',
      static_configs: Object.entries(instances).map(([instance, target]) => ({
        targets: [target],
        labels: { instance },
      })),
    },
  ],
});
