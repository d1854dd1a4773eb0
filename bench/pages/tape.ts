import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { errorText } from '../../domain/error-text.ts';

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Buffer;
}

export interface Tape {
  readonly url: string;
  /** Unrecorded paths are 404. */
  play(): void;
  readonly missed: ReadonlySet<string>;
  close(): Promise<void>;
}

const OF_A_HOP = ['connection', 'keep-alive', 'transfer-encoding'];

/** Forwards and records `GET`. */
export async function createTape(siteUrl: string): Promise<Tape> {
  const kept = new Map<string, Answer>();
  const missed = new Set<string>();
  let playing = false;

  const answer = async (asked: IncomingMessage): Promise<Answer | undefined> => {
    const path = asked.url ?? '/';
    if (playing) return kept.get(path) ?? kept.get(withoutQuery(path));
    const fresh = await ask(new URL(path, siteUrl), asked);
    kept.set(path, fresh);
    // A query with a time differs.
    kept.set(withoutQuery(path), fresh);
    return fresh;
  };

  const server = createServer((asked, response) => {
    answer(asked).then(
      (found) => {
        if (!found) missed.add(asked.url ?? '/');
        write(response, found ?? { status: 404, headers: {}, body: Buffer.alloc(0) });
      },
      (error: unknown) => write(response, { status: 502, headers: {}, body: Buffer.from(errorText(error)) }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    play: () => void (playing = true),
    missed,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function ask(url: URL, { method, headers }: IncomingMessage): Promise<Answer> {
  const sent = request(url, { method, headers: { ...headers, host: url.host, connection: 'close' } });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const passed = Object.entries(response.headers).filter(([name]) => !OF_A_HOP.includes(name));
  return { status: response.statusCode ?? 502, headers: Object.fromEntries(passed), body: await buffer(response) };
}

function write(response: ServerResponse, { status, headers, body }: Answer): void {
  const given = Object.entries(headers).filter(
    (header): header is [string, string | string[]] => header[1] !== undefined,
  );
  response.writeHead(status, { ...Object.fromEntries(given), 'content-length': body.length }).end(body);
}

function withoutQuery(path: string): string {
  return path.split('?')[0] ?? path;
}
