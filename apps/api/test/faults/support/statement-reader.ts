/** A statement sent to the server, up to the message that requests the response. */
export interface SentStatement {
  /** The name of a prepared statement; otherwise its text. */
  readonly name: string;
  /** The raw messages, including any before the statement. */
  readonly bytes: Buffer;
}

const headerBytes = 5;

/**
 * Splits client traffic into statements (PostgreSQL documentation, "Frontend/Backend Protocol"). A statement ends with
 * Query or Sync; other messages (start-up, password) are passed on with an empty name.
 */
export function statementReader(): (chunk: Buffer) => SentStatement[] {
  let pending = Buffer.alloc(0);
  let begun = Buffer.alloc(0);
  let name = '';
  let started = false;

  /** The next complete message, if any. The first one of a connection has no type byte. */
  const take = (): Buffer | undefined => {
    const typeBytes = started ? 1 : 0;
    if (pending.length < headerBytes) return undefined;
    const length = typeBytes + pending.readInt32BE(typeBytes);
    if (pending.length < length) return undefined;
    const message = pending.subarray(0, length);
    pending = pending.subarray(length);
    return message;
  };

  return (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    const found: SentStatement[] = [];
    for (let message = take(); message !== undefined; message = take()) {
      begun = Buffer.concat([begun, message]);
      const type = started ? String.fromCharCode(message[0] ?? 0) : 'start-up';
      started = true;
      name = nameIn(type, message) || name;
      if (type === 'P' || type === 'B' || type === 'D' || type === 'E') continue;
      const isStatement = type === 'Q' || type === 'S';
      found.push({ name: isStatement ? name : '', bytes: begun });
      begun = Buffer.alloc(0);
      name = '';
    }
    return found;
  };
}

/** The statement name in a message. */
function nameIn(type: string, message: Buffer): string {
  const [first = '', second = ''] = message.toString('utf8', headerBytes).split('\0');
  switch (type) {
    case 'Q':
      return first;
    case 'P':
      return first || second.trim().slice(0, 60);
    // The portal's name comes first.
    case 'B':
      return second;
    default:
      return '';
  }
}
