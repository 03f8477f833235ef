import { IdleThreads, type ThreadOptions } from '@zonewright/gate';
import { err, ok, type Result } from 'neverthrow';
import { type AcceptedDocument, acceptDocument, type OfferedDocument } from '../accepted-zone.ts';
import { type Rejection, rejection } from '../rejection.ts';
import type { CheckQuestion, CheckReply } from './worker.ts';
import { workerUrl } from './worker-url.ts';

/** Larger documents are checked on a thread of their own, because requests would wait for patterns to be parsed. */
const maxOwnBytes = 2 ** 14;

/** The largest zone takes two seconds; the thread yields to those that serve. */
const usualThread = { program: workerUrl, memory: 192, seconds: 60 } as const satisfies ThreadOptions;
const idleSeconds = 60;

/** Checks documents from the service, large ones one at a time. */
export class DocumentChecks {
  readonly #threads: IdleThreads<CheckQuestion, CheckReply>;
  /** The newest check; never rejects. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(thread: ThreadOptions = usualThread) {
    this.#threads = new IdleThreads({ ...thread, idleSeconds });
  }

  async check(bytes: Buffer, offered: OfferedDocument): Promise<Result<AcceptedDocument, Rejection>> {
    if (bytes.length <= maxOwnBytes) return acceptDocument(bytes, offered);
    const checked = this.#last.then(() => this.#onThread({ bytes, offered }));
    this.#last = checked;
    return checked;
  }

  /** Documents that are being checked are not accepted. */
  close(): Promise<void> {
    return this.#threads.close();
  }

  async #onThread(question: CheckQuestion): Promise<Result<AcceptedDocument, Rejection>> {
    if (this.#threads.isClosed) return err(rejection('document.compile', 'The edge is closing.'));
    const thread = this.#threads.take();
    const reply = await thread.ask(question);
    this.#threads.giveBack(thread);
    return reply
      .mapErr((reason) => rejection('document.compile', `It could not be checked: ${reason}`))
      .andThen((each) => ('accepted' in each ? ok(each.accepted) : err(each.rejection)));
  }
}
