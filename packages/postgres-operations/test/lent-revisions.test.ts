import {
  ChangeSetDescription,
  ChangeSetId,
  ChangeSetTitle,
  jsonDocument,
  maxOpenBytes,
  type NewChangeSet,
  RevisionNumber,
  stateAt,
  UserId,
  ZoneId,
} from '@zonewright/core';
import { expect } from 'chai';
import { okAsync, ResultAsync } from 'neverthrow';
import { gate } from '../../contract-tests/src/gate.ts';
import { cutting } from './support/cutting.ts';

describe('applyRetention and a promotion that leaves values to a revision which is about to be deleted', function () {
  this.timeout(60_000);
  const { database, unitOfWork, anOrganization, cut, uuid } = cutting();

  /** A zone whose revisions before the last two are due for deletion, and a set that needs the first one. */
  async function aLender() {
    const [organization, user, zone, borrower] = [await anOrganization(), uuid(), uuid(), uuid()];
    await database().none(
      `INSERT INTO users (id, email, email_key, first_name, last_name) VALUES ($(user), $(user), $(user), 'Ada', 'L');
       INSERT INTO zones (id, organization_id, name, name_key, tag, ban_token_hash, revision)
       SELECT id, $(organization), id, id, 'prod', id, 20 FROM unnest($(zones)::uuid[]) AS id;
       INSERT INTO zone_revisions (zone_id, number, action, objects, patch, inverse, snapshot, created_at)
       SELECT $(zone), n, 'zone.changed', '{}', '{}', '{}', json_build_object('name', 'name ' || n), now() - (20 - n) * interval '1 day'
       FROM generate_series(1, 20) AS n`,
      { organization, user, zone, zones: [zone, borrower] },
    );
    const set: NewChangeSet = {
      id: ChangeSetId.parse(uuid()),
      zoneId: ZoneId.parse(borrower),
      title: ChangeSetTitle.parse(''),
      description: ChangeSetDescription.parse(''),
      base: 20,
      patch: jsonDocument({}),
      operations: undefined,
      createdBy: UserId.parse(user),
      lender: { zone: ZoneId.parse(zone), revision: 1, characters: 1 },
      merge: { zoneRevision: 20, isConflicted: false, characters: 1 },
    };
    return { zone: ZoneId.parse(zone), set };
  }

  const adding = (set: NewChangeSet, hold: () => Promise<void> = async () => {}) =>
    unitOfWork().run(({ changeSets }) =>
      changeSets
        .add(set, { sets: 9, bytes: maxOpenBytes })
        .andThrough(() => ResultAsync.fromSafePromise(hold()))
        .map(({ lender }) => lender),
    );
  const readable = (zone: ZoneId) =>
    unitOfWork()
      .view((repositories) => stateAt(repositories, zone, RevisionNumber.parse(1)))
      .map(({ name }) => name)
      .orElse(({ type }) => okAsync(type));
  /** Resolves once a statement waits for a lock. */
  const someoneWaits = async (): Promise<void> => {
    const query = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    while ((await database().any(query)).length === 0);
  };

  it('one of them waits for the other: the promotion, which is then told', async () => {
    const { zone, set } = await aLender();
    const refused = await database().tx(async (transaction) => {
      await transaction.none('DELETE FROM zone_revisions WHERE zone_id = $1 AND number < 10', [zone]);
      const result = adding(set);
      await someoneWaits();
      return { result };
    });
    expect(
      await refused.result.match(
        () => 'added',
        ({ type }) => type,
      ),
    ).to.equal('RevisionNotFound');
    expect(await readable(zone)).to.deep.include({ value: 'RevisionNotFound' });
  });

  it('one of them waits for the other: the deletion, which then fails and is repeated without', async () => {
    const { zone, set } = await aLender();
    const [isAdded, released] = [gate(), gate()];
    const added = adding(set, () => {
      isAdded.open();
      return released.passed;
    });
    await isAdded.passed;
    const deletion = cut({ history: 5 }).then(
      () => 'deleted',
      () => 'failed',
    );
    await someoneWaits();
    released.open();
    expect(await added).to.deep.include({ value: set.lender });
    expect(await deletion).to.equal('failed');
    await cut({ history: 5 });
    expect(await readable(zone)).to.deep.include({ value: 'name 1' });
  });
});
