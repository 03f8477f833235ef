import type { DestinationStream } from 'pino';

/** Log lines as a developer reads them in a terminal: time, level, what happened. `output` gets the text of each. */
export async function terminalLog(output: DestinationStream): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty');
  const readable = pretty.prettyFactory({
    colorize: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'name,pid,hostname,requestId,method,route,status,durationMs',
    messageFormat: (line, messageKey) => (isRequest(line) ? requestText(line) : String(line[messageKey])),
  });
  return { write: (line) => output.write(readable(line)) };
}

interface RequestLine {
  readonly method: string;
  readonly status: number;
  readonly durationMs: number;
  /** Absent where nothing is served. */
  readonly route?: string;
}

const isRequest = (line: object): line is RequestLine => 'method' in line && 'status' in line && 'durationMs' in line;

const requestText = ({ method, route = '(unknown path)', status, durationMs }: RequestLine): string =>
  `${method} ${route} ${status} in ${durationMs} ms`;
