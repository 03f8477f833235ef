import { type Format, mediaTypes } from '@zonewright/api-description';
import { expect } from 'chai';
import { render } from '../../src/http/respond.ts';
import { Collection, Item } from '../../src/resources/resource.ts';

const page = { page: 1, itemsPerPage: 30 };
const item = (id: string, version?: string) =>
  new Item({ type: 'Zone', iri: `/api/zones/${id}`, members: { id }, ...(version === undefined ? {} : { version }) });
const list = (items: readonly Item[], { totalItems = items.length, version = undefined as string | undefined } = {}) =>
  new Collection({ type: 'Zone', items, totalItems, page, search: [], version });

const requestWith = (ifNoneMatch = '', method = 'GET') => ({
  method,
  path: '/api/zones',
  get: (name: string) => (name === 'If-None-Match' ? ifNoneMatch : ''),
});
const rendered = (body: Item | Collection, format: Format = mediaTypes.json, ifNoneMatch?: string, method?: string) =>
  render(requestWith(ifNoneMatch, method), { status: 200, body }, format, []);
const tagOf = (body: Item | Collection, format?: Format) => rendered(body, format).headers['ETag'];

describe('render', () => {
  it('uses the version of a list as its entity tag, if it has one', () => {
    const rules = list([item('a'), item('b')], { version: '7' });
    expect([tagOf(rules), tagOf(rules, mediaTypes.linked)]).to.deep.equal(['"7"', '"7;ld"']);
    expect(rendered(rules, mediaTypes.json, '"7"').status).to.equal(304);
  });

  it('sets no entity tag if an item has no version', () => {
    expect(tagOf(item('a'))).to.equal(undefined);
    expect(tagOf(list([item('a', '1'), item('b')]))).to.equal(undefined);
    expect(rendered(list([item('a')]), mediaTypes.json, '*').status).to.equal(200);
  });

  const lists = {
    'the list': list([item('a', '1'), item('b', '2')]),
    'another order': list([item('b', '2'), item('a', '1')]),
    'another version': list([item('a', '1'), item('b', '3')]),
    'versions exchanged': list([item('a', '2'), item('b', '1')]),
    'another item': list([item('a', '1'), item('c', '2')]),
    'an item less': list([item('a', '1')], { totalItems: 2 }),
    'another total': list([item('a', '1'), item('b', '2')], { totalItems: 3 }),
    'no items': list([]),
  };

  it('sets different entity tags for different lists, and equal ones for equal lists', () => {
    const tags = Object.values(lists).map((each) => tagOf(each));
    expect(new Set(tags).size).to.equal(tags.length);
    expect(tagOf(list([item('a', '1'), item('b', '2')]))).to.equal(tagOf(lists['the list']));
  });

  it('keeps links and total on a 304 for a list', () => {
    const { status, headers, body } = rendered(lists['the list'], mediaTypes.json, tagOf(lists['the list']));
    expect([status, body]).to.deep.equal([304, undefined]);
    expect(headers).to.have.all.keys('ETag', 'Link', 'X-Total-Count');
  });

  it('answers a write in full, whatever the client has', () => {
    const { status, body } = rendered(item('a', '1'), mediaTypes.json, '"1"', 'POST');
    expect([status, body]).to.deep.equal([200, '{"id":"a"}']);
  });
});
