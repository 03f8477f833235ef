import { type Installation, openInstallation, openPlace, type Place } from './installation.ts';
import type { Report } from './report.ts';
import type { Terminal } from './terminal.ts';

/** The context of a command. */
export interface Context {
  readonly env: NodeJS.ProcessEnv;
  readonly terminal: Terminal;
}

/** Runs a command after its arguments have been parsed. */
export type Work = (context: Context) => Promise<Report>;

/** Registers the handlers of the commands below. */
export interface Runner {
  /** For commands that need no open resources. */
  readonly bare: (work: Work) => void;
  /** For commands that need the database, whatever its schema. */
  readonly atPlace: (work: (place: Place, context: Context) => Promise<Report>) => void;
  /** For commands that need a migrated database. */
  readonly installed: (
    command: string,
    work: (installation: Installation, context: Context) => Promise<Report>,
  ) => void;
}

/**
 * Opens the resources of commands before they run, and closes them afterwards; `choose` receives the command's work.
 */
export const runnerOf = (choose: (work: Work) => void): Runner => {
  const atPlace: Runner['atPlace'] = (work) =>
    choose(async (context) => {
      const place = await openPlace(context.env);
      try {
        return await work(place, context);
      } finally {
        await place.close();
      }
    });
  return {
    bare: choose,
    atPlace,
    installed: (command, work) =>
      atPlace(async (place, context) => {
        const installation = await openInstallation(place, command);
        try {
          return await work(installation, context);
        } finally {
          await installation.close();
        }
      }),
  };
};
