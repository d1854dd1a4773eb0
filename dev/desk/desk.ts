import { createEndpoint } from '../../chain/rpc/json-rpc.ts';
import { publicClusterOf } from '../../domain/network.ts';
import type { ApiConfig } from '../../config/api.ts';
import type { ApiDeps, ApiExtension } from '../../api/deps.ts';
import type { ApiInstance } from '../../api/instance.ts';
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

/** True only where every RPC endpoint is on this machine, never in production: the desk mints money. */
export function isDeskOffered({ isProduction, solana }: Pick<ApiConfig, 'isProduction' | 'solana'>): boolean {
  return !isProduction && solana.rpcUrls.every((url) => isLoopbackName(new URL(url).hostname));
}

export interface DeskSettings {
  /** Undefined with another block engine. */
  readonly blockEngineAdminUrl: string | undefined;
}

/** `{siteUrl}/local/*`, for people and tests. Not documented, not rate limited. */
export const deskExtension = (settings: DeskSettings): ApiExtension => ({
  path: '/local',
  register: (app, deps) => registerDesk(app, deps, settings),
});

/** @throws on a public cluster */
async function registerDesk(app: ApiInstance, deps: ApiDeps, { blockEngineAdminUrl }: DeskSettings): Promise<void> {
  const cluster = publicClusterOf(deps.launching.scope.genesisHash);
  if (cluster !== undefined) throw new Error(`the desk is not served on ${cluster}`);
  const [url] = deps.config.solana.rpcUrls;
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
