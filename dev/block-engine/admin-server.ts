import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { callersAt } from '../desk/refusal.ts';
import { errorText } from '../../domain/error-text.ts';
import { type FaultSwitch, parseFault } from './fault.ts';
import { portOf } from '../grpc/gate.ts';
import { createLocalServer } from '../local-server.ts';

const MAX_BODY_BYTES = 10_000;

export interface AdminOptions {
  /** 0 = any free. */
  readonly port: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Of every response; absent: none. */
  readonly instanceId?: string | undefined;
}

export interface AdminServer {
  readonly port: number;
  close(): Promise<void>;
}

/** 400 for none). Rejects when the port is taken. */
export async function openAdminServer(
  faults: FaultSwitch,
  { port, host = '127.0.0.1', instanceId }: AdminOptions,
): Promise<AdminServer> {
  const server = createLocalServer(callersAt(host), {
    instanceId,
    request: (request, response) => {
      answer(faults, request).then(
        ({ status, body }) => send(response, status, body),
        (error: unknown) => send(response, 400, { error: errorText(error) }),
      );
    },
  });
  server.listen({ host, port, exclusive: true });
  await once(server, 'listening');
  return {
    port: portOf(server.address()),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Answer {
  readonly status: number;
  readonly body: object;
}

async function answer(faults: FaultSwitch, request: IncomingMessage): Promise<Answer> {
  switch (`${request.method} ${request.url}`) {
    case 'GET /health':
      return { status: 200, body: { status: 'ok' } };
    case 'GET /fault':
      return { status: 200, body: faults.current() };
    case 'POST /fault':
      faults.set(parseFault(JSON.parse(await bodyOf(request))));
      return { status: 200, body: faults.current() };
    default:
      return { status: 404, body: { error: `no such resource: ${request.method} ${request.url}` } };
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new RangeError(`body exceeds ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`);
}
