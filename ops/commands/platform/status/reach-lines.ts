import { parseBlockEngineUrl } from '../../../../chain/relay/block-engine-address.ts';
import { createJitoRelay } from '../../../../chain/relay/jito-relay.ts';
import { endpointHealth } from '../../../../chain/rpc/endpoint-health.ts';
import { quorumOf } from '../../../../chain/rpc/endpoints.ts';
import { errorText } from '../../../../domain/error-text.ts';
import { opsCommand, restartOf, type StatusLine } from './line.ts';

const TIMEOUT_MS = 3_000;

export async function rpcLines(urls: readonly string[]): Promise<StatusLine[]> {
  const found = await Promise.all(
    endpointHealth(urls, TIMEOUT_MS).map(async ({ check, name, origin }) => {
      try {
        await check();
        return [];
      } catch (error) {
        const remedy = `put another endpoint in the place of ${name} in SOLANA_RPC_URL, restart api and worker; does it answer: curl -sSi ${origin}`;
        return [{ what: errorText(error), remedy }];
      }
    }),
  );
  const away = found.flat();
  const [left, needed] = [urls.length - away.length, quorumOf(urls.length)];
  if (left >= needed)
    return away.map((line) => ({ alert: 'SlipwaySpareDown', subject: 'rpc', is: 'unreachable', ...line }));
  const lacks = `${left} of ${urls.length} endpoints answer, ${needed} must agree before money moves`;
  return away.map(({ what, remedy }) => {
    return { alert: 'SlipwayRpcFailing', subject: 'rpc', is: 'unreachable', what: `${what}; ${lacks}`, remedy };
  });
}

/** Checks the response, not the connection: a hanging engine still accepts connections but gives no tip accounts. */
export async function blockEngineLines(url: string): Promise<StatusLine[]> {
  const relay = createJitoRelay({ url, connectTimeoutMs: TIMEOUT_MS, callTimeoutMs: TIMEOUT_MS });
  try {
    await relay.tipAccounts();
    return [];
  } catch (error) {
    const { target } = parseBlockEngineUrl(url);
    const pause = opsCommand('switches set launching off --note "the block engine is away"');
    const remedy = `${pause}; it stays away: name another region in BLOCK_ENGINE_URL, ${restartOf('worker')}`;
    const what = `${target}: ${errorText(error)}`;
    return [{ alert: 'SlipwayBlockEngineFailing', subject: 'block engine', is: 'unreachable', what, remedy }];
  } finally {
    relay.close();
  }
}
