import type { Session, SessionCaller } from '@zonewright/core';
import { iri } from '../http/iri.ts';
import { Item } from '../http/resource.ts';
import { presentPage } from './page.ts';

/** A sign-in as its user sees it. */
const presentSession = (session: Session, current: boolean): Item =>
  new Item({
    type: 'Session',
    iri: iri.session(session.id),
    members: {
      id: session.id,
      createdAt: session.createdAt,
      lastUsedAt: session.lastUsedAt,
      expiresAt: session.expiresAt,
      userAgent: session.userAgent,
      current,
      twoFactor: session.twoFactor,
    },
  });

/** A page of the caller's sessions; the one that asks is marked. */
export const presentSessions = ({ credential }: SessionCaller) =>
  presentPage('Session', (session: Session) => presentSession(session, session.id === credential.id));
