import { object, uuid } from '@zonewright/api-description';
import type { UserId } from '@zonewright/core';
import { z } from 'zod';
import type { PresentedAnswer } from '../../http/answer.ts';
import { messageMember } from '../message.ts';

/**
 * The response to a registration (interface, "Authentication endpoints"): the account is not readable before its owner
 * signs in.
 */
export const registrationAnswer = object(
  'Registered',
  z
    .object({ message: messageMember, id: uuid('Id of the new user.') })
    .meta({ description: 'An account whose e-mail address has not been verified yet.' }),
  201,
);

/** Clients may store the id for their own records. */
export const presentRegistration = ({ id }: { readonly id: UserId }): PresentedAnswer => ({
  body: { message: 'Registration successful. Please check your e-mail to verify your account.', id },
});
