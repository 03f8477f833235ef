import { exampleToken } from '@zonewright/api-description';
import { MailedToken } from '@zonewright/core';
import { z } from 'zod';

/** The body of a route that redeems a token from a mail. */
export const tokenBody = (description: string) =>
  z.object({ token: MailedToken.meta({ description, examples: [exampleToken] }) });
