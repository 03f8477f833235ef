import type { ClosableAnalyses } from '@zonewright/analysis';
import { type AnalysedConfiguration, analysisBusy } from '@zonewright/core';
import { expect } from 'chai';
import type { Middleware, ParameterizedContext } from 'koa';
import { errAsync, okAsync } from 'neverthrow';
import { pino } from 'pino';
import { openTraces } from '../src/observability/traces.ts';
import type { Tracing } from '../src/observability/tracing.ts';
import { timedAnalyses } from '../src/process/timed-parts.ts';
import { aVerifiedUser, aZone, unique } from './support/arrange.ts';
import { clientOf } from './support/client.ts';
import { openService } from './support/service.ts';
import { openTraceReceiver, type ReceivedSpan } from './support/trace-receiver.ts';

/** Spans nested by parent, in order. */
function treeOf(spans: readonly ReceivedSpan[], parent: string): readonly unknown[] {
  return spans
    .filter(({ parentSpanId }) => parentSpanId === parent)
    .map(({ name, spanId }) => {
      const below = treeOf(spans, spanId);
      return below.length === 0 ? name : [name, below];
    });
}

/** Ignored by the fakes below. */
const something = {} as AnalysedConfiguration;
const answering: ClosableAnalyses = {
  findings: () => okAsync({ complete: true, findings: [] }),
  behaviour: () => errAsync(analysisBusy(5)),
  checks: () => okAsync([]),
  close: () => Promise.resolve(),
};

/** Runs the work as part of a minimal fake request. */
const inRequest = (middleware: Middleware, work: () => unknown): Promise<unknown> => {
  const request = { method: 'GET', path: '/', status: 200, protocol: 'http', req: { headers: {} }, state: {} };
  // The only members the tracing middleware uses.
  return Promise.resolve(middleware(request as unknown as ParameterizedContext, async () => void (await work())));
};

/** The spans that the work exports, without a service. */
async function spansOf(work: (tracing: Tracing) => Promise<unknown>): Promise<readonly ReceivedSpan[]> {
  const receiver = await openTraceReceiver();
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = receiver.url;
  const tracing = openTraces(pino({ level: 'silent' }));
  delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  await work(tracing);
  await tracing.close();
  await receiver.close();
  return receiver.spans;
}

describe('Traces', () => {
  it("show the parts of a zone update, a sign-in and an analysis, within the client's trace", async () => {
    const receiver = await openTraceReceiver();
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = receiver.url;
    const service = await openService({ traces: true });
    const ada = await aVerifiedUser(service);
    const zone = await aZone(ada);
    const [patched, signedIn, analysed, client] = ['a'.repeat(32), 'b'.repeat(32), 'd'.repeat(32), 'c'.repeat(16)];
    const traced = (trace: string) => ({ traceparent: `00-${trace}-${client}-01` });
    const change = { name: `zone-${unique()}` };
    // A user's lease grows with every request; after a few it has points left.
    for (let count = 0; count < 3; count += 1) await ada.get(`/api/zones/${zone.id}`);
    await ada.patch(`/api/zones/${zone.id}`, change, { ...traced(patched), 'x-request-id': 'patch-1' });
    await ada.get(`/api/zones/${zone.id}/findings`, traced(analysed));
    const { email, password } = ada;
    await clientOf(service.url).post('/api/auth/login', { email, password }, traced(signedIn));
    await clientOf(service.url).post('/api/auth/forgot-password', { email });
    await service.mails.nextMailTo(email);
    await service.close();
    await receiver.close();
    delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];

    const of = (trace: string) => receiver.spans.filter(({ traceId }) => traceId === trace);
    expect(treeOf(of(patched), client)).to.deep.equal([
      ['PATCH /api/zones/:id', ['zones/whole.sql', 'zone-changes/apply/zone.sql']],
    ]);
    const root = of(patched).find(({ parentSpanId }) => parentSpanId === client);
    expect(root?.attributes).to.deep.equal({
      'http.request.method': 'PATCH',
      'http.route': '/api/zones/:id',
      'http.response.status_code': 200,
      'url.scheme': 'http',
      'zonewright.request_id': 'patch-1',
    });
    expect(JSON.stringify(treeOf(of(signedIn), client))).to.include('["password hashing",["hash"]]');
    expect(JSON.stringify(treeOf(of(analysed), client))).to.match(
      /^\[\["GET \/api\/zones\/:id\/findings",.*"findings"\]\]\]$/,
    );
    expect(receiver.spans.map(({ name }) => name)).to.include('mail reset-password');
    expect(service.log.find(({ requestId }) => requestId === 'patch-1')).to.have.property('traceId', patched);
  }).timeout(20_000);

  it('name the server of each statement', async () => {
    const server = { address: 'db.example.com', port: 5432, database: 'zones' } as const;
    const spans = await spansOf(({ middleware, trace }) =>
      inRequest(middleware, () => {
        trace({ name: 'zones/read', text: 'SELECT' }, server)?.ended(undefined);
        trace({ name: 'zones/state', text: 'SELECT' }, { ...server, address: '/run/sql' })?.ended(
          Object.assign(new Error('with a value'), { code: '57014' }),
        );
      }),
    );
    const shared = { 'db.system.name': 'postgresql', 'db.namespace': 'zones' };
    expect(spans.slice(0, 2).map(({ name, attributes }) => ({ name, ...attributes }))).to.deep.equal([
      {
        name: 'zones/read',
        ...shared,
        'server.address': 'db.example.com',
        'server.port': 5432,
      },
      {
        name: 'zones/state',
        ...shared,
        'server.address': '/run/sql',
        'db.response.status_code': '57014',
        'error.type': '57014',
      },
    ]);
  });

  it('show analyses within their request, and which of them failed', async () => {
    const spans = await spansOf(async ({ middleware, timed }) => {
      const analyses = timedAnalyses(answering, timed);
      await inRequest(middleware, async () => {
        await analyses.findings(something);
        await analyses.behaviour({ before: something, after: something });
      });
    });
    const request = spans.find(({ name }) => name === 'GET');
    expect(treeOf(spans, request?.spanId ?? '')).to.deep.equal(['findings', 'comparison of behaviour']);
    expect(spans.map(({ attributes }) => attributes['error.type'])).to.deep.equal([
      undefined,
      'AnalysisBusy',
      undefined,
    ]);
  });
});
