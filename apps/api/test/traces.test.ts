import { expect } from 'chai';
import { aVerifiedUser, aZone, unique } from './support/arrange.ts';
import { clientOf } from './support/client.ts';
import { openService } from './support/service.ts';
import { openTraceReceiver, type ReceivedSpan } from './support/trace-receiver.ts';

/** Each span under its parent, in the order of the spans. */
function treeOf(spans: readonly ReceivedSpan[], parent: string): readonly unknown[] {
  return spans
    .filter(({ parentSpanId }) => parentSpanId === parent)
    .map(({ name, spanId }) => {
      const below = treeOf(spans, spanId);
      return below.length === 0 ? name : [name, below];
    });
}

describe('Traces', () => {
  it('show what a patch of a zone and a sign-in consist of, within the trace of the client', async () => {
    const receiver = await openTraceReceiver();
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = receiver.url;
    const service = await openService({ traces: true });
    const ada = await aVerifiedUser(service);
    const zone = await aZone(ada);
    const [patched, signedIn, client] = ['a'.repeat(32), 'b'.repeat(32), 'c'.repeat(16)];
    const traced = (trace: string) => ({ traceparent: `00-${trace}-${client}-01` });
    const change = { name: `zone-${unique()}` };
    // The points that the user leases grow with every request; after a few it has some left.
    for (let count = 0; count < 3; count += 1) await ada.get(`/api/zones/${zone.id}`);
    await ada.patch(`/api/zones/${zone.id}`, change, { ...traced(patched), 'x-request-id': 'patch-1' });
    const { email, password } = ada;
    await clientOf(service.url).post('/api/auth/login', { email, password }, traced(signedIn));
    await clientOf(service.url).post('/api/auth/forgot-password', { email });
    await service.mails.nextMailTo(email);
    await service.close();
    await receiver.close();
    delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];

    const of = (trace: string) => receiver.spans.filter(({ traceId }) => traceId === trace);
    expect(treeOf(of(patched), client)).to.deep.equal([
      ['PATCH /api/zones/:id', ['zones/whole session', 'zone-changes/apply settings']],
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
    expect(receiver.spans.map(({ name }) => name)).to.include('mail reset-password');
    expect(service.log.find(({ requestId }) => requestId === 'patch-1')).to.have.property('traceId', patched);
  }).timeout(20_000);
});
