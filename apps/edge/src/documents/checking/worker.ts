import { parentPort } from 'node:worker_threads';
import { lowerPriority } from '@zonewright/gate';
import { type AcceptedDocument, acceptDocument, type OfferedDocument } from '../accepted-zone.ts';
import type { Rejection } from '../rejection.ts';

/** A document to check. */
export interface CheckQuestion {
  readonly bytes: Uint8Array;
  readonly offered: OfferedDocument;
}

/** What is wrong with it, or what is known of it. */
export type CheckReply = { readonly rejection: Rejection } | { readonly accepted: AcceptedDocument };

const replyTo = ({ bytes, offered }: CheckQuestion): CheckReply =>
  acceptDocument(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), offered).match<CheckReply>(
    (accepted) => ({ accepted }),
    (rejection) => ({ rejection }),
  );

lowerPriority();
parentPort?.on('message', (question: CheckQuestion) => parentPort?.postMessage(replyTo(question)));
