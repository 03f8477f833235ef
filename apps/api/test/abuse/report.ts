import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Latencies, Probes, Statuses } from './flood.ts';

/** What a flood did to others. */
export interface Measured extends Probes {
  /** Method and path of the flooded route. */
  readonly route: string;
  readonly flood: Latencies;
  /** The peak of resident memory, in MiB. */
  readonly megabytes: number;
  /** What one account can make the database grow by with this route in a minute. */
  readonly bytesPerMinute: number;
  /** Processes that wanted to run on the machine, on average over the last minute. */
  readonly load: number;
}

/** What an account may do to others, whatever it floods. */
const promised = {
  /** 99 of 100 requests of `/healthz` take less, in milliseconds. */
  health: 200,
  /** 19 of 20 requests of another user take less, in milliseconds. */
  victim: 500,
  /** The database grows by less per minute, in bytes. */
  bytesPerMinute: 250_000_000,
} as const;

/** Every promise that a flood broke. */
export function brokenPromises(measured: Measured, memoryLimit: number): readonly string[] {
  const { health, readiness, victim, question, megabytes, bytesPerMinute } = measured;
  const promises: readonly (readonly [string, boolean])[] = [
    [`/healthz took ${health.p99} ms (p99)`, health.p99 < promised.health],
    [`/healthz answered ${shown(health.statuses)}`, onlyOk(health.statuses)],
    [`/readyz answered ${shown(readiness.statuses)}`, onlyOk(readiness.statuses)],
    [`another user waited ${victim.p95} ms (p95)`, victim.p95 < promised.victim],
    [`another user got ${shown(victim.statuses)}`, onlyOk(victim.statuses)],
    [`another user's question got ${shown(question.statuses)}`, onlyOk(question.statuses)],
    [`the process took ${megabytes} MiB`, megabytes < memoryLimit],
    [`the database grows by ${bytesPerMinute} bytes a minute`, bytesPerMinute < promised.bytesPerMinute],
  ];
  return promises.filter(([, holds]) => !holds).map(([broken]) => broken);
}

const onlyOk = (statuses: Statuses): boolean => Object.keys(statuses).every((status) => status === '200');

const shown = (statuses: Statuses): string =>
  Object.entries(statuses)
    .map(([status, count]) => `${count} × ${status === '0' ? 'nothing' : status}`)
    .join(', ');

/** One line for each flood. */
export const lineOf = ({ route, flood, health, victim, question, readiness, ...rest }: Measured): string =>
  [
    `${route}: ${shown(flood.statuses)}`,
    `p50 ${flood.p50} ms`,
    `/healthz p50 ${health.p50}, p99 ${health.p99}, max ${health.max} ms`,
    `other user p95 ${victim.p95} ms, ${shown(victim.statuses)}`,
    `their questions max ${question.max} ms, ${shown(question.statuses)}`,
    `/readyz ${shown(readiness.statuses)}`,
    `${rest.megabytes} MiB`,
    `${(rest.bytesPerMinute / 1_000_000).toFixed(1)} MB/min`,
    `load ${rest.load.toFixed(1)}`,
  ].join('; ');

/** Writes everything measured as JSON; returns the file. */
export function writeReport(measured: readonly Measured[]): string {
  const file = join(mkdtempSync(join(tmpdir(), 'zonewright-abuse-')), 'floods.json');
  writeFileSync(file, `${JSON.stringify(measured, null, 2)}\n`);
  return file;
}
