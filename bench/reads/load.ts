import { connect, type Socket } from 'node:net';

/** What a round of load found. Latencies in ms. */
export interface LoadResult {
  readonly requests: number;
  readonly latencies: readonly number[];
  /** Bytes of the last body. */
  readonly bodyBytes: number;
  readonly status: number;
}

/** What to ask, on how many connections, for how long. */
export interface LoadPlan {
  readonly port: number;
  readonly paths: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly ms: number;
}

/**
 * Asks a server on loopback over kept-alive connections, one request after the other on each. Written on sockets, so that the
 * asking costs little beside the answering. Throws when an answer is neither 200 nor 304, or has no length.
 */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const requests = plan.paths.map((path) => requestText(path, plan.headers));
  const until = performance.now() + plan.ms;
  const state = { next: 0, latencies: [] as number[], bodyBytes: 0, status: 0 };
  await Promise.all(Array.from({ length: plan.connections }, () => runConnection(plan.port, requests, until, state)));
  return { ...state, requests: state.latencies.length };
}

type LoadState = { next: number; latencies: number[]; bodyBytes: number; status: number };

function requestText(path: string, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}\r\n`;
}

async function runConnection(port: number, requests: readonly string[], until: number, state: LoadState) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  try {
    while (performance.now() < until) {
      const text = requests[state.next++ % requests.length]!;
      const begun = performance.now();
      const { status, bodyBytes } = await ask(socket, text);
      state.latencies.push(performance.now() - begun);
      Object.assign(state, { status, bodyBytes });
    }
  } finally {
    socket.destroy();
  }
}

function ask(socket: Socket, text: string): Promise<{ status: number; bodyBytes: number }> {
  return new Promise((resolve, reject) => {
    let [received, expected, status, bodyBytes] = [0, -1, 0, 0];
    const finish = (error: Error | null) => {
      socket.off('data', onData).off('error', finish).off('close', onClose);
      if (error) reject(error);
      else resolve({ status, bodyBytes });
    };
    const onClose = () => {
      finish(new Error('the server closed the connection'));
    };
    const onData = (chunk: Buffer) => {
      received += chunk.length;
      if (expected === -1) {
        const head = chunk.subarray(0, chunk.indexOf('\r\n\r\n') + 4).toString('latin1');
        status = Number(head.slice(9, 12));
        if (status !== 200 && status !== 304) return finish(new Error(`answered ${chunk.toString().slice(0, 300)}`));
        bodyBytes = status === 304 ? 0 : Number(/content-length: (\d+)/i.exec(head)?.[1]);
        if (Number.isNaN(bodyBytes)) return finish(new Error('an answer has no content-length'));
        expected = head.length + bodyBytes;
      }
      if (received >= expected) finish(null);
    };
    socket.on('data', onData).on('error', finish).on('close', onClose);
    socket.write(text);
  });
}
