import { object } from '@zonewright/api-description';
import { z } from 'zod';
import type { PresentedAnswer } from '../http/answer.ts';

/** Describes the outcome in words. */
export const messageMember = z.string().meta({ description: 'A human-readable description of the outcome.' });

const messageSchema = z.object({ message: messageMember }).meta({ description: 'The outcome of the request.' });

/** Response: only a message. */
export const message = object('Message', messageSchema);

/** The same, for what happens later. */
export const acceptedMessage = object('Message', messageSchema, 202);

/** A response with only a message. */
export const presentMessage = (text: string): PresentedAnswer => ({ body: { message: text } });
