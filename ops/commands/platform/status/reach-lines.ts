import { parseBlockEngineUrl } from '../../../../chain/relay/block-engine-address.ts';
import { createJitoRelay } from '../../../../chain/relay/jito-relay.ts';
import { endpointHealth } from '../../../../chain/rpc/endpoint-health.ts';
import { errorText } from '../../../../domain/error-text.ts';
import { opsCommand, type StatusLine } from './line.ts';

const TIMEOUT_MS = 3_000;

export async function rpcLines(urls: readonly string[]): Promise<StatusLine[]> {
  const found = await Promise.all(
    endpointHealth(urls, TIMEOUT_MS).map(async ({ check, origin }): Promise<StatusLine[]> => {
      try {
        await check();
        return [];
      } catch (error) {
        return [{ subject: 'rpc', is: 'unreachable', what: errorText(error), remedy: `curl -sSi ${origin}` }];
      }
    }),
  );
  return found.flat();
}

/** Checks the response, not the connection: a hanging engine still accepts connections but gives no tip accounts. */
export async function blockEngineLines(url: string): Promise<StatusLine[]> {
  const relay = createJitoRelay({ url, connectTimeoutMs: TIMEOUT_MS, callTimeoutMs: TIMEOUT_MS });
  try {
    await relay.tipAccounts();
    return [];
  } catch (error) {
    const { target } = parseBlockEngineUrl(url);
    const remedy = opsCommand('switches set launching off --note "the block engine is away"');
    return [{ subject: 'block engine', is: 'unreachable', what: `${target}: ${errorText(error)}`, remedy }];
  } finally {
    relay.close();
  }
}
