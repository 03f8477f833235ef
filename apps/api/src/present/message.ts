import { z } from 'zod';
import type { Given } from '../http/route.ts';
import { object } from '../resources/description.ts';

/** The member that says what happened. */
export const messageMember = z.string().meta({ description: 'A human-readable description of the outcome.' });

/** An answer that says no more than what happened. */
export const message = object(
  'Message',
  z.object({ message: messageMember }).meta({ description: 'The outcome of the request.' }),
);

/** The message alone. */
export const presentMessage = (text: string): Given => ({ body: { message: text } });
