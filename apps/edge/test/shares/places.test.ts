import { expect } from 'chai';
import { type Place, Places } from '../../src/shares/places.ts';

const bounds = { places: 4, placesPerClient: 2, waiting: 3, waitingPerClient: 2, waitSeconds: 60 };

/** Requests of clients for places, and what happened with each of them, in order. */
function visits(more: Partial<typeof bounds> = {}) {
  const places = new Places({ ...bounds, ...more });
  const events: string[] = [];
  const held: Place[] = [];
  const enter = (client: string): 'inside' | 'waiting' | 'refused' => {
    const place = places.enter(client, {
      entered: () => void events.push(`${client} entered`),
      waitedTooLong: () => void events.push(`${client} waited too long`),
    });
    if (place === undefined) return 'refused';
    held.push(place);
    return place.isInside ? 'inside' : 'waiting';
  };
  return {
    places,
    events,
    held,
    enter: (...clients: readonly string[]) => clients.map(enter),
    end: () => {
      for (const place of held.toReversed()) place.leave();
    },
  };
}

describe('Places of a zone', () => {
  it('are taken by each client up to its part, and by all up to their number; beyond, requests wait or are refused', () => {
    const { enter, end, places } = visits();
    expect(enter('a', 'a', 'a', 'a', 'a')).to.deep.equal(['inside', 'inside', 'waiting', 'waiting', 'refused']);
    expect(enter('b', 'c', 'd', 'e')).to.deep.equal(['inside', 'inside', 'waiting', 'refused']);
    end();
    expect(places.isEmpty).to.equal(true);
  });

  it('go to the first that waits and whose client has not its part', () => {
    const { enter, events, held, end } = visits();
    enter('a', 'a', 'a', 'b', 'c', 'd');
    held[3]?.leave();
    expect(events).to.deep.equal(['d entered']);
    held[0]?.leave();
    held[0]?.leave();
    expect(events).to.deep.equal(['d entered', 'a entered']);
    end();
  });

  it('are not given to those that have stopped waiting', () => {
    const { enter, events, held, end } = visits({ placesPerClient: 1 });
    enter('a', 'a', 'a');
    held[1]?.leave();
    held[0]?.leave();
    expect(events).to.deep.equal(['a entered']);
    expect(enter('a')).to.deep.equal(['waiting']);
    held[2]?.leave();
    expect(events).to.deep.equal(['a entered', 'a entered']);
    end();
  });

  it('are waited for until a deadline', async () => {
    const { enter, events, end } = visits({ placesPerClient: 1, waitSeconds: 0.001 });
    enter('a', 'a');
    while (events.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(events).to.deep.equal(['a waited too long']);
    end();
    expect(events).to.have.length(1);
  });
});
