import { createEndpoint } from '../../chain/rpc/json-rpc.ts';
import { publicClusterOf } from '../../domain/network.ts';
import type { ApiConfig } from '../../config/api.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { blockEnginePost } from './block-engine.post.ts';
import type { DeskDeps } from './deps.ts';
import { createEngineFaults } from './engine-faults.ts';
import { expireBlockhashesPost } from './expire-blockhashes.post.ts';
import { fundPost } from './fund.post.ts';
import { guardDesk } from './guard.ts';
import { isLoopbackName } from '../../config/loopback.ts';
import { createLocalChain } from './local-chain.ts';
import { pricesPost } from './prices.post.ts';
import { holdingsPost } from './holdings.post.ts';
import { sendPost } from './send.post.ts';
import { skipSlotPost } from './skip-slot.post.ts';
import { swapPost } from './swap.post.ts';

const TIMEOUT_MS = 10_000;

/** Registers one endpoint of the desk; its path is relative to `{siteUrl}/local`. */
export type DeskEndpoint = (app: ApiInstance, deps: DeskDeps) => void;

const endpoints: readonly DeskEndpoint[] = [
  fundPost,
  swapPost,
  sendPost,
  holdingsPost,
  blockEnginePost,
  pricesPost,
  expireBlockhashesPost,
  skipSlotPost,
];

/**
 * Whether this process may serve the desk: it was asked to, the exchange is the stand-in, every RPC endpoint is on this
 * machine, and it is not production.
 */
export function isDeskOffered({ desk, exchange, isProduction, solana }: ApiConfig): boolean {
  if (!desk || isProduction || exchange.kind !== 'local') return false;
  return solana.rpcUrls.every((url) => isLoopbackName(new URL(url).hostname));
}

/**
 * Serves `{siteUrl}/local/*`, where people and tests fund wallets, trade, set prices and switch faults on an embedded chain.
 * It is in no document and on no counter. Where {@link isDeskOffered} says no, nothing is registered. Throws an Error on a
 * public cluster.
 */
export async function registerDesk(app: ApiInstance, deps: ApiDeps): Promise<void> {
  if (!isDeskOffered(deps.config)) return;
  const cluster = publicClusterOf(deps.launching.scope.genesisHash);
  if (cluster !== undefined) throw new Error(`the desk is not served on ${cluster}`);
  const [url] = deps.config.solana.rpcUrls;
  const { blockEngineAdminUrl } = deps.config;
  const desk: DeskDeps = {
    ...deps,
    chain: createLocalChain(createEndpoint({ url, index: 0, timeoutMs: TIMEOUT_MS, fetch }), deps.launching.rpc),
    engineFaults: blockEngineAdminUrl === undefined ? null : createEngineFaults(blockEngineAdminUrl, TIMEOUT_MS),
  };
  await app.register(
    async (scope: ApiInstance) => {
      guardDesk(scope);
      for (const endpoint of endpoints) endpoint(scope, desk);
    },
    { prefix: '/local' },
  );
}
