import type { OverridableKey } from '../../../src/zones/settings/settings.ts';
import { longest, notList, numbered, type SettingCases } from './setting-case.ts';

const field = (name: string, value = 'v') => ({ name, value });
const fields = (count: number) => numbered(count).map((name) => field(name));

const headerList = (allowed: readonly string[], forbidden: readonly string[]): SettingCases => ({
  default: [],
  accepted: [
    [],
    [field('X-A', ''), field('x-b', 'a, "b"; c\tdéÿ\u0080')],
    allowed.map((name) => field(name)),
    [field(longest(128), longest(4096))],
    fields(50),
    // 4 times 4096 bytes, names included.
    ['a', 'b', 'c', 'd'].map((name) => field(name, longest(4095))),
  ],
  refused: [
    ['x', ' member.type'],
    [['x'], '[0] member.type'],
    [[{ name: 'x' }], '[0].value member.required'],
    [[{ value: 'x' }], '[0].name member.required'],
    [[field('x', 1 as never)], '[0].value member.type'],
    [[{ ...field('x'), when: 'always' }], '[0].when member.unknown'],
    [[field('')], '[0].name text.tooShort'],
    [[field(longest(129))], '[0].name text.tooLong'],
    [[field('a b'), field('a:'), field('é')], ...[0, 1, 2].map((index) => `[${index}].name settings.token`)],
    [[field(':status')], '[0].name settings.header.forbidden'],
    [[field('x', longest(4097))], '[0].value text.tooLong'],
    ...[' a', 'a ', '\ta', 'a\t', ' ', 'a\r\nb', 'a\nb', 'a\u0000', 'a\u007f', 'a\u0100', '€'].map(
      (value) => [[field('x', value)], '[0].value settings.header.value'] as const,
    ),
    ...forbidden.map((name) => [[field(name)], '[0].name settings.header.forbidden'] as const),
    [fields(51), ' list.tooLong'],
    [[...['a', 'b', 'c', 'd'].map((name) => field(name, longest(4095))), field('e', '')], ' settings.header.total'],
  ],
});

const uniqueNames = [[field('X-A'), field('x-b'), field('x-a', 'other')], '[2].name list.duplicate'] as const;

const connectionHeaders = [
  'Connection',
  'content-length',
  'Transfer-Encoding',
  'Trailer',
  'Upgrade',
  'Keep-Alive',
  'Proxy-Connection',
];
const edgeHeaders = ['X-Forwarded-For', 'x-forwarded-proto', 'X-Real-IP', 'Forwarded', 'Via', 'CDN-Loop'];
const forbiddenOnRequest = [
  ...connectionHeaders,
  ...edgeHeaders,
  'TE',
  'Proxy-Authorization',
  'Expect',
  'Host',
  ':authority',
];

/** Names that settings must not use on responses. */
export const forbiddenOnResponse = [...connectionHeaders, 'Content-Encoding', 'Content-Range', 'Age', 'Date'];

const request = headerList(['Set-Cookie', 'Authorization', 'Age', 'X-Forwarded-Host'], forbiddenOnRequest);
const set = headerList(['Cache-Control', 'Host', 'TE'], [...forbiddenOnResponse, 'Set-Cookie']);
const add = headerList(['Set-Cookie', 'Vary', 'Host'], forbiddenOnResponse);

/** Cases of the header operations. */
export const headerCases = {
  headersRequestSet: { ...request, refused: [...request.refused, uniqueNames] },
  headersResponseSet: { ...set, refused: [...set.refused, uniqueNames] },
  headersResponseAdd: {
    ...add,
    accepted: [...add.accepted, [field('Vary', 'a'), field('vary', 'A')]],
    refused: [...add.refused, [[field('Vary', 'a'), field('vary', 'a')], '[1] list.duplicate']],
  },
  headersResponseRemove: {
    default: [],
    accepted: [[], ['Server', 'set-cookie'], [longest(128)], numbered(50)],
    refused: [
      ...notList,
      [['Server', 'x', 'server'], '[2] list.duplicate'],
      [['', longest(129)], '[0] text.tooShort', '[1] text.tooLong'],
      [['a b'], '[0] settings.token'],
      ...forbiddenOnResponse.map((name) => [[name], '[0] settings.header.forbidden'] as const),
      [numbered(51), ' list.tooLong'],
    ],
  },
} satisfies Partial<Record<OverridableKey, SettingCases>>;
