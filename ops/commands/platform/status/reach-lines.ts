import { connect } from 'node:net';
import { parseBlockEngineUrl } from '../../../../chain/relay/block-engine-address.ts';
import { createEndpoint } from '../../../../chain/rpc/json-rpc.ts';
import { TextShape } from '../../../../chain/rpc/shapes.ts';
import { errorText } from '../../../../domain/error-text.ts';
import { opsCommand, type StatusLine } from './line.ts';

/** Longest wait for one that does not answer, in ms. */
const TIMEOUT_MS = 3_000;

/** RPC endpoints that do not say of themselves that they are healthy. Their keys are not in what is told. */
export async function rpcLines(urls: readonly string[]): Promise<StatusLine[]> {
  const found = await Promise.all(
    urls.map(async (url, index): Promise<StatusLine[]> => {
      const endpoint = createEndpoint({ url, index, timeoutMs: TIMEOUT_MS, fetch });
      try {
        await endpoint.call('getHealth', [], TextShape);
        return [];
      } catch (error) {
        const { origin } = new URL(url);
        return [{ subject: 'rpc', is: 'unreachable', what: errorText(error), remedy: `curl -sSi ${origin}` }];
      }
    }),
  );
  return found.flat();
}

/** The block engine, where nothing takes a connection. */
export async function blockEngineLines(url: string): Promise<StatusLine[]> {
  const { target } = parseBlockEngineUrl(url);
  const problem = await refusal(target);
  if (problem === null) return [];
  const remedy = opsCommand('switches set launching off --note "the block engine is away"');
  return [{ subject: 'block engine', is: 'unreachable', what: `${target}: ${problem}`, remedy }];
}

/** Why nothing answers at `host[:port]`; null where something does. */
function refusal(target: string): Promise<string | null> {
  const { hostname, port } = new URL(`tcp://${target}`);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || 443), timeout: TIMEOUT_MS });
    const end = (problem: string | null) => {
      socket.destroy();
      resolve(problem);
    };
    socket.once('connect', () => end(null));
    socket.once('timeout', () => end(`no answer within ${TIMEOUT_MS} ms`));
    socket.once('error', (error) => end(errorText(error)));
  });
}
