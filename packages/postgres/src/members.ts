import { type Member, type Members, memberNotFound, type OrganizationId, type UserId } from '@zonewright/core';
import type { ResultAsync } from 'neverthrow';
import type { Connection } from './database.ts';
import { asSelected, one, pageOf, required, run } from './query.ts';
import { sql } from './sql.ts';

type NotFound = ReturnType<typeof memberNotFound>;

export const postgresMembers = (on: Connection): Members => ({
  list: (organization, page) => pageOf(on, sql.members, { organization }, page, asSelected<Member>),
  byUser: (organization, user) => byUser(on, organization, user),
  count: (organization) => one<{ total: number }>(on, sql.members.total, { organization }).map(({ total }) => total),
  ownerCount: (organization) =>
    one<{ total: number }>(on, sql.members.ownerCount, { organization }).map(({ total }) => total),
  add: (organization, user, role) =>
    run(on, sql.members.add, { organization, user, role }).andThen(() =>
      one<Member>(on, sql.members.byUser, { organization, user }),
    ),
  setRole: (organization, user, role) =>
    run(on, sql.members.setRole, { organization, user, role }).andThen(() => byUser(on, organization, user)),
  remove: (organization, user) =>
    required(on, sql.members.remove, { organization, user }, memberNotFound).map(() => undefined),
});

const byUser = (on: Connection, organization: OrganizationId, user: UserId): ResultAsync<Member, NotFound> =>
  required<Member, NotFound>(on, sql.members.byUser, { organization, user }, memberNotFound);
