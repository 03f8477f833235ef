import mocha from 'mocha';

const { EVENT_RUN_END } = mocha.Runner.constants;

/** The usual report, closed by one line for programs: `N passed, N failed`. */
export default class SpecWithTotals extends mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    // Registered after the report's own listener, so it is the last thing written.
    runner.once(EVENT_RUN_END, () => {
      const { passes, failures } = this.stats;
      process.stdout.write(`${passes} passed, ${failures} failed\n`);
    });
  }
}
