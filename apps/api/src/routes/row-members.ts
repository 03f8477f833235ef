import { exampleToken, nothing, type ProblemOverrides, whole } from '@zonewright/api-description';
import { type JsonObject, MailedToken, parse } from '@zonewright/core';
import { z } from 'zod';
import { bodyLimits } from '../http/body.ts';

/** Auth endpoints respond with 400 to any invalid body (interface, "Errors"). */
export const badRequest = { InvalidInput: { status: 400 } } as const satisfies ProblemOverrides;

/** The members of a row that reads a small body. */
export const smallBody = <S extends z.ZodType>(schema: S) => ({
  accepts: whole(schema),
  bodyLimit: bodyLimits.small,
  body: (body: JsonObject) => parse(schema, body),
});

/** The members of a row that reads the body of an auth endpoint. */
export const authBody = <S extends z.ZodType>(schema: S) => ({ ...smallBody(schema), problems: badRequest });

/** The members of a row whose response has no body. */
export const noContent = { answers: nothing, present: () => ({}) } as const;

/** The body of a route that redeems a token from a mail. */
export const tokenBody = (description: string) =>
  z.object({ token: MailedToken.meta({ description, examples: [exampleToken] }) });
