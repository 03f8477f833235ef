import { type ResourceDescription, readOnly, timestamp, uuid } from '@zonewright/api-description';
import { type Session, type SessionCaller, sessionLifetimes } from '@zonewright/core';
import { z } from 'zod';
import { iri } from '../../resources/iri.ts';
import { itemOf, presentPage } from '../item.ts';

const lifetimeDays = sessionLifetimes.sessionSeconds / (24 * 60 * 60);

/** A session as its user sees it. */
export const sessionResource = {
  type: 'Session',
  title: 'session',
  description: 'An active sign-in of a user.',
  schema: z.object({
    id: uuid('Id of the session.'),
    createdAt: timestamp('When the user signed in.'),
    lastUsedAt: timestamp('When the session was created or its tokens were last renewed.'),
    expiresAt: timestamp(`When the session ends, even if its tokens are renewed: ${lifetimeDays} days after sign-in.`),
    userAgent: readOnly(
      z.string().max(200).optional(),
      'The `User-Agent` of the sign-in, if any, truncated to 200 characters.',
    ),
    current: readOnly(z.boolean(), 'Whether this is the session of the request.'),
    twoFactor: readOnly(z.boolean(), 'Whether a second factor was used at sign-in.'),
  }),
} as const satisfies ResourceDescription;

const presentSession = (session: Session, current: boolean) =>
  itemOf(sessionResource, { iri: iri.session(session.id) }, { ...session, current });

/** A page of the caller's sessions; marks the current one. */
export const presentSessions = ({ credential }: SessionCaller) =>
  presentPage(sessionResource.type, (session: Session) => presentSession(session, session.id === credential.id));
