/** Writes `.mmdb` files (https://maxmind.github.io/MaxMind-DB/): no published package does. */

type Value = string | number | { readonly [name: string]: Value };

const sized = (type: number, size: number): Buffer => {
  const [first, ...rest] = size < 29 ? [size] : [29, size - 29];
  return type < 8 ? Buffer.from([(type << 5) | (first ?? 0), ...rest]) : Buffer.from([first ?? 0, type - 7, ...rest]);
};

function encoded(value: Value): Buffer {
  if (typeof value === 'string') return Buffer.concat([sized(2, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([sized(6, 4), bytes]);
  }
  const members = Object.entries(value).flatMap(([name, each]) => [encoded(name), encoded(each)]);
  return Buffer.concat([sized(7, members.length / 2), ...members]);
}

interface Node {
  readonly sides: [Node | number | undefined, Node | number | undefined];
}

const bitsOf = (range: string): readonly (0 | 1)[] => {
  const [address = '', prefix = '32'] = range.split('/');
  const bits = address.split('.').flatMap((octet) => Number(octet).toString(2).padStart(8, '0').split(''));
  return bits.slice(0, Number(prefix)).map((bit) => (bit === '1' ? 1 : 0));
};

/** A database of IPv4 ranges that do not overlap. */
export function mmdb(records: Readonly<Record<string, Value>>): Buffer {
  const root: Node = { sides: [undefined, undefined] };
  const nodes = [root];
  let data = Buffer.alloc(0);
  for (const [range, value] of Object.entries(records)) {
    const bits = bitsOf(range);
    let node = root;
    for (const bit of bits.slice(0, -1)) {
      const side = node.sides[bit];
      const next: Node = typeof side === 'object' ? side : { sides: [undefined, undefined] };
      if (side !== next) nodes.push(next);
      node.sides[bit] = next;
      node = next;
    }
    node.sides[bits.at(-1) ?? 0] = data.length;
    data = Buffer.concat([data, encoded(value)]);
  }
  const tree = Buffer.alloc(nodes.length * 8);
  const pointer = (side: Node['sides'][0]) =>
    side === undefined ? nodes.length : typeof side === 'number' ? nodes.length + 16 + side : nodes.indexOf(side);
  for (const [index, { sides }] of nodes.entries()) {
    tree.writeUInt32BE(pointer(sides[0]), index * 8);
    tree.writeUInt32BE(pointer(sides[1]), index * 8 + 4);
  }
  const metadata = encoded({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1,
    database_type: 'Test',
    description: { en: 'Test' },
    ip_version: 4,
    languages: {},
    node_count: nodes.length,
    record_size: 32,
  });
  return Buffer.concat([tree, Buffer.alloc(16), data, Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'), metadata]);
}
