import { z } from 'zod';
import type { PresentedAnswer } from '../http/answer.ts';
import { object } from '../resources/description.ts';

/** Describes the outcome in words. */
export const messageMember = z.string().meta({ description: 'A human-readable description of the outcome.' });

/** Response: only a message. */
export const message = object(
  'Message',
  z.object({ message: messageMember }).meta({ description: 'The outcome of the request.' }),
);

/** A response with only a message. */
export const presentMessage = (text: string): PresentedAnswer => ({ body: { message: text } });
