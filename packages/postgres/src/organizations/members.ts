import { type Member, type Members, memberNotFound, type OrganizationId, type UserId } from '@zonewright/core';
import type { Connection } from '../connection/database.ts';
import { asSelected, change, one, pageOf, required, run, value } from '../connection/query.ts';
import { sql } from '../sql.ts';

export const postgresMembers = (on: Connection): Members => ({
  list: (organization, page) => pageOf(on, sql.members, { organization }, page, asSelected<Member>),
  byUser: (organization, user) => byUser(on, organization, user),
  count: (organization) => value<number>(on, sql.members.total, { organization }),
  ownerCount: (organization) => value<number>(on, sql.members.ownerCount, { organization }),
  add: (organization, user, role) =>
    run(on, sql.members.add, { organization, user, role }).andThen(() =>
      one<Member>(on, sql.members.byUser, { organization, user }),
    ),
  setRole: (organization, user, role) =>
    run(on, sql.members.setRole, { organization, user, role }).andThen(() => byUser(on, organization, user)),
  remove: (organization, user) => change(on, sql.members.remove, { organization, user }).mapErr(memberNotFound),
});

const byUser = (on: Connection, organization: OrganizationId, user: UserId) =>
  required<Member>(on, sql.members.byUser, { organization, user }).mapErr(memberNotFound);
