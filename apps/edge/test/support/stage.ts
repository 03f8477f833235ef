import type { Timing } from '../../src/feed/timing.ts';
import { FakeService, type Report } from './fake-service.ts';
import { aStatePlace, startTestEdge, type TestEdge } from './running-edge.ts';

/** A service and an edge for each test. */
export function stage() {
  const parts = { service: new FakeService(), state: aStatePlace(), edges: [] as TestEdge[] };
  beforeEach(async () => {
    parts.service = new FakeService();
    parts.state = aStatePlace();
    await parts.service.open();
  });
  afterEach(async () => {
    for (const each of parts.edges.splice(0)) await each.close();
    await parts.service.close();
    parts.state.clean();
  });
  return {
    service: () => parts.service,
    /** The folder of the state. */
    place: () => parts.state,
    start: async (env: NodeJS.ProcessEnv = {}, more: Partial<Timing> = {}): Promise<TestEdge> => {
      const edge = await startTestEdge(parts.service, parts.state, env, more);
      parts.edges.push(edge);
      return edge;
    },
    stop: async (edge: TestEdge) => {
      parts.edges.splice(parts.edges.indexOf(edge), 1);
      await edge.close();
      // What it reported says nothing of the next one.
      parts.service.reports.length = 0;
    },
  };
}

/** A report of an edge that serves the given number of zones. */
export const applied =
  (count: number) =>
  ({ zones }: Report) =>
    zones.applied === count;
const codes = ({ zones }: Report) => zones.rejected.map(({ id, code }) => `${id} ${code}`);
/** A report of an edge that rejects these, each as `zone code`. */
export const rejecting =
  (...expected: readonly string[]) =>
  (report: Report) =>
    JSON.stringify(codes(report)) === JSON.stringify(expected);
