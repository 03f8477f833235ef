import type { DestinationStream } from 'pino';

const ignored = {
  service: 'name,pid,hostname,requestId,method,route,status,durationMs',
  edge: 'type,zone,disposition,rule,method,host,path,status,origin,attempts,failure,cache,complete,milliseconds,originMilliseconds',
} as const;

/** Formats log lines, of this program and of an edge beside it, for a terminal: time, level and message. `output` receives the text. */
export async function terminalLog(output: DestinationStream): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty');
  const shared = { colorize: true, translateTime: 'SYS:HH:MM:ss' } as const;
  const readable = pretty.prettyFactory({
    ...shared,
    ignore: ignored.service,
    messageFormat: (line, messageKey) => {
      const text = isRequest(line) ? requestText(line) : String(line[messageKey]);
      return line['name'] === 'zonewright-edge' ? `edge: ${text}` : text;
    },
  });
  const edgeRequest = pretty.prettyFactory({
    ...shared,
    ignore: ignored.edge,
    // The lines that are chosen below have these members.
    messageFormat: (line) => edgeRequestText(line as unknown as EdgeRequestLine),
  });
  // Those lines have no level; it is that of the service's lines about requests.
  const text = (line: string) =>
    isEdgeRequest(line) ? edgeRequest(line.replace('{', '{"level":30,')) : readable(line);
  return {
    write: (line) => {
      if (!isRoutine(line)) output.write(text(line));
    },
  };
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

/** Host and path are absent if the request could not be parsed. */
interface EdgeRequestLine {
  readonly method?: string;
  readonly host?: string;
  readonly path?: string;
  readonly status: number;
  readonly disposition: string;
  readonly milliseconds: number;
}

/** The edge asks and reports twice a minute for as long as it runs. */
const isRoutine = (line: string): boolean => line.includes('"route":"/edge/v1/') && line.includes('"status":20');

const isEdgeRequest = (line: string): boolean => line.startsWith('{"time":"') && line.includes('"type":"request"');

const edgeRequestText = (line: EdgeRequestLine): string => {
  const { method = '(unknown method)', host = '(unknown host)', path = '', status, disposition, milliseconds } = line;
  return `edge: ${method} ${host}${path} ${status} (${disposition}) in ${milliseconds} ms`;
};
