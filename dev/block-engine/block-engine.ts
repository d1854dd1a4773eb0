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

/** How to start a local block engine. */
export interface BlockEngineOptions {
  /** Port of the gRPC server; 0 = a free one. */
  readonly port: number;
  /** Port of the HTTP server that sets faults; default 0 = a free one. */
  readonly adminPort?: number;
  /** Address that both listen on; default 127.0.0.1. In a container all of them. */
  readonly host?: string;
  /** JSON-RPC address of the chain that bundles go to; it has to know `sendBundle`. */
  readonly rpcUrl: string;
  /** base58; default the accounts of mainnet. */
  readonly tipAccounts?: readonly string[];
  /** Identity shown as the leader, base58; default the chain's own. */
  readonly identity?: string;
  /** Hears one line for each bundle that was rejected and each poll that failed. */
  readonly log?: (line: string) => void;
}

/** A running local block engine. */
export interface BlockEngine {
  /** `http://127.0.0.1:port`: plaintext gRPC. */
  readonly url: string;
  /** Address of the HTTP server with `/health` and `/fault`. */
  readonly adminUrl: string;
  readonly tipAccounts: readonly string[];
  setFault(fault: Fault): void;
  fault(): Fault;
  close(): Promise<void>;
}

const CHAIN_TIMEOUT_MS = 10_000;

/**
 * Starts a gRPC server that speaks the searcher protocol and forwards bundles to a local chain.
 * @throws when a port is taken or the chain does not answer.
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
  const admin = await openAdminServer(faults, options.adminPort ?? 0, options.host);
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
