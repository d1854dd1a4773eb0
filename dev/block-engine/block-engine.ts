import { Server } from '@grpc/grpc-js';
import { SearcherServiceService } from 'jito-ts/dist/gen/block-engine/searcher.js';
import { createEndpoint } from '../../chain/rpc/json-rpc.ts';
import { errorText } from '../../domain/error-text.ts';
import { openAdminServer } from './admin-server.ts';
import { createEngineChain } from './chain.ts';
import { createFaultSwitch, type Fault } from './fault.ts';
import { createForwarder } from './forwarder.ts';
import { openGate } from '../grpc/gate.ts';
import { createResultFeed } from './result-feed.ts';
import { createSearcherService } from './searcher-service.ts';
import { MAINNET_TIP_ACCOUNTS } from './tip-accounts.ts';

export interface BlockEngineOptions {
  /** gRPC; 0 = any free. */
  readonly port: number;
  /** HTTP, for faults; default 0 = any free. */
  readonly adminPort?: number;
  /** Of HTTP responses; absent: none. */
  readonly instanceId?: string | undefined;
  /** Of both; default 127.0.0.1. */
  readonly host?: string;
  /** Gets the bundles; must know `sendBundle`. */
  readonly rpcUrl: string;
  /** base58; default mainnet's. */
  readonly tipAccounts?: readonly string[];
  /** Of the shown leader, base58; default the chain's. */
  readonly identity?: string;
  /** A line per rejected bundle and failed poll. */
  readonly log?: (line: string) => void;
}

export interface BlockEngine {
  readonly url: string;
  readonly adminUrl: string;
  readonly tipAccounts: readonly string[];
  setFault(fault: Fault): void;
  fault(): Fault;
  close(): Promise<void>;
}

const CHAIN_TIMEOUT_MS = 10_000;

/**
 * Speaks the searcher protocol.
 *
 * @throws when a port is taken or the chain does not answer
 */
export async function startBlockEngine(options: BlockEngineOptions): Promise<BlockEngine> {
  const { tipAccounts = MAINNET_TIP_ACCOUNTS, log = () => undefined } = options;
  const chain = createEngineChain(
    createEndpoint({ url: options.rpcUrl, index: 0, timeoutMs: CHAIN_TIMEOUT_MS, fetch: globalThis.fetch }),
  );
  const identity = options.identity ?? (await chain.identity());
  const feed = createResultFeed(chain, identity, (error) => log(`result poll failed: ${errorText(error)}`));
  const forwarder = createForwarder({ chain, feed, identity, log });
  const grpc = new Server();
  const gate = await openGate(grpc, options.port, options.host);
  const faults = createFaultSwitch((fault) => gate.setOpen(fault.fault !== 'unreachable' || fault.times !== undefined));
  grpc.addService(
    SearcherServiceService,
    createSearcherService({ chain, faults, forwarder, feed, tipAccounts, identity }),
  );
  const admin = await openAdminServer(faults, { ...options, port: options.adminPort ?? 0 });
  return {
    url: `http://127.0.0.1:${gate.port}`,
    adminUrl: `http://127.0.0.1:${admin.port}`,
    tipAccounts,
    setFault: (fault) => faults.set(fault),
    fault: () => faults.current(),
    async close() {
      feed.close();
      await Promise.all([gate.close(), admin.close(), forwarder.close()]);
      grpc.forceShutdown();
    },
  };
}
