import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** ms. */
export interface LoadResult {
  readonly requests: number;
  readonly latencies: readonly number[];
  readonly bodyBytes: number;
  readonly status: number;
}

export interface LoadPlan {
  readonly port: number;
  readonly paths: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly ms: number;
}

/**
 * Raw sockets: a client cheaper than the server.
 *
 * @throws for neither 200 nor 304, or no length
 */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const requests = plan.paths.map((path) => Buffer.from(requestText(plan, path)));
  const state = { requests, next: 0, latencies: [] as number[], bodyBytes: 0, status: 0 };
  const until = performance.now() + plan.ms;
  await Promise.all(Array.from({ length: plan.connections }, () => runConnection(plan.port, until, state)));
  return { ...state, requests: state.latencies.length };
}

interface LoadState {
  readonly requests: readonly Buffer[];
  readonly latencies: number[];
  next: number;
  bodyBytes: number;
  status: number;
}

function requestText({ port, headers = {} }: LoadPlan, path: string): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${lines.join('')}\r\n`;
}

async function runConnection(port: number, until: number, state: LoadState): Promise<void> {
  const buffer = Buffer.allocUnsafe(64 * 1024);
  let [begun, missing] = [0, 0];
  const ask = () => {
    begun = performance.now();
    socket.write(state.requests[state.next++ % state.requests.length]!);
  };
  const socket: Socket = connect({
    port,
    host: '127.0.0.1',
    noDelay: true,
    onread: {
      buffer,
      callback: (length) => {
        try {
          missing = missing > 0 ? missing - length : missingOf(buffer.toString('latin1', 0, length), state);
          if (missing > 0) return true;
        } catch (error) {
          socket.destroy(error as Error);
          return false;
        }
        const now = performance.now();
        state.latencies.push(now - begun);
        if (now < until) ask();
        else socket.destroy();
        return true;
      },
    },
  });
  socket.once('connect', ask);
  // Rejects with its error.
  await once(socket, 'close');
  if (performance.now() < until) throw new Error('the server closed the connection');
}

function missingOf(text: string, state: LoadState): number {
  state.status = Number(text.slice(9, 12));
  if (state.status !== 200 && state.status !== 304) throw new Error(`answered ${text.slice(0, 300)}`);
  const headEnd = text.indexOf('\r\n\r\n') + 4;
  state.bodyBytes = state.status === 304 ? 0 : lengthIn(text);
  return headEnd + state.bodyBytes - text.length;
}

const LENGTH = /\r\ncontent-length: (\d+)/i;

function lengthIn(text: string): number {
  const length = LENGTH.exec(text)?.[1];
  if (length === undefined) throw new Error('an answer has no content-length');
  return Number(length);
}
