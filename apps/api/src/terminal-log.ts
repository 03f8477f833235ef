import type { DestinationStream } from 'pino';

/** Formats log lines for a terminal: time, level and message. `output` receives the text. */
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
  /** Absent when no route matched. */
  readonly route?: string;
}

const isRequest = (line: object): line is RequestLine => 'method' in line && 'status' in line && 'durationMs' in line;

const requestText = ({ method, route = '(unknown path)', status, durationMs }: RequestLine): string =>
  `${method} ${route} ${status} in ${durationMs} ms`;
