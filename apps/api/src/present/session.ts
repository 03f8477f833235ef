import type { Page, PageRequest, Session, SessionCaller } from '@zonewright/core';
import { iri } from '../http/iri.ts';
import { Collection, Item } from '../http/resource.ts';

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

export const presentSessions = (
  { items, totalItems }: Page<Session>,
  caller: SessionCaller,
  page: PageRequest,
): Collection =>
  new Collection({
    type: 'Session',
    items: items.map((session) => presentSession(session, session.id === caller.credential.id)),
    totalItems,
    page,
    search: [],
  });
