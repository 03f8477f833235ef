import { type Deployment, type Installation, openDeployment, openInstallation } from './installation.ts';
import type { Report } from './report.ts';
import type { Terminal } from './terminal.ts';

/** The context of a command. */
export interface Context {
  readonly env: NodeJS.ProcessEnv;
  readonly terminal: Terminal;
  /** Whether to print one JSON document. */
  readonly isJson: boolean;
}

/** Runs a command after its arguments have been parsed. */
export type Work = (context: Context) => Promise<Report>;

/** Registers the handlers of the commands below. */
export interface Runner {
  /** For commands that need no open resources. */
  readonly bare: (work: Work) => void;
  /** For commands that need the database, whatever its schema. */
  readonly atDeployment: (work: (deployment: Deployment, context: Context) => Promise<Report>) => void;
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
  const atDeployment: Runner['atDeployment'] = (work) =>
    choose(async (context) => {
      const deployment = await openDeployment(context.env);
      try {
        return await work(deployment, context);
      } finally {
        await deployment.close();
      }
    });
  return {
    bare: choose,
    atDeployment,
    installed: (command, work) =>
      atDeployment(async (deployment, context) => {
        const installation = await openInstallation(deployment, command);
        try {
          return await work(installation, context);
        } finally {
          await installation.close();
        }
      }),
  };
};
