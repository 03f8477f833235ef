import { UserId } from '@zonewright/core';
import { expect } from 'chai';
import type { ForwardedRequest } from '../../src/admission/forwarding.ts';
import { payloadBudget } from '../../src/admission/payload-budget.ts';
import { arrivalOf, sendWithin } from '../../src/admission/payloads.ts';
import { threadAnswer } from '../../src/admission/thread-answer.ts';
import type { Exchange } from '../../src/http/exchange.ts';

const bytes = 200_000;
const userId = UserId.parse('00000000-0000-7000-8000-000000000001');

/** Only what the answer reads. */
const request = { method: 'PATCH', url: '/', headers: {}, headersDistinct: {}, route: { path: '/' } };

describe('A request thread', () => {
  it('occupies memory for the body and the response of a request only until it has answered', async () => {
    const budget = payloadBudget({ total: 3 * bytes, perUser: 3 * bytes }, 0);
    const answered = threadAnswer(async (ctx) => {
      const exchange = { ctx, caller: { userId }, reserved: [] } as unknown as Exchange;
      if (!arrivalOf(exchange, budget)(bytes)) throw new Error('There is no memory for the body.');
      sendWithin(exchange, { status: 200, headers: {}, cookies: [], body: 'x'.repeat(bytes) }, budget);
    });
    for (let count = 0; count < 5; count += 1) {
      const reply = await answered(request as unknown as ForwardedRequest);
      expect([reply.status, reply.body?.length]).to.deep.equal([200, bytes]);
    }
  });
});
