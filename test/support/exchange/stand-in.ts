import { Connection } from '@solana/web3.js';
import type { Exchange } from '../../../chain/exchange/exchange.ts';
import { createStandInExchange, type StandInOptions } from '../../../dev/stand-in/stand-in-exchange.ts';
import { type Localnet, startLocalnet } from '../../../dev/localnet/index.ts';
import { countingConnection } from './counting-connection.ts';
import { createTestChain, type TestChain } from './test-chain.ts';

/** The local adapter on a local chain of its own. */
export interface StandInUnderTest {
  readonly localnet: Localnet;
  readonly exchange: Exchange;
  readonly chain: TestChain;
  /** A further adapter whose RPC methods are noted as they are called. */
  counting(): { exchange: Exchange; calls: string[] };
  close(): Promise<void>;
}

const SLOT_MS = 40;
const SEED = new Uint8Array(32).fill(7);

/** A new adapter that has seen nothing yet. */
export function standInExchangeOn(localnet: Localnet, options: Partial<StandInOptions> = {}): Exchange {
  const connection = new Connection(localnet.rpcUrl, 'confirmed');
  return createStandInExchange({ connection, seed: SEED, genesisHash: localnet.genesisHash, ...options });
}

/** Starts a local chain with fast slots and the adapter on it. */
export async function startStandInExchange(): Promise<StandInUnderTest> {
  const localnet = await startLocalnet({ slotMs: SLOT_MS });
  const connection = new Connection(localnet.rpcUrl, 'confirmed');
  const chain = await createTestChain(connection, async (wallet, lamports) => {
    localnet.control.fund(wallet.toBase58(), BigInt(lamports));
  });
  return {
    localnet,
    exchange: standInExchangeOn(localnet),
    chain,
    counting: () => countingExchange(localnet),
    close: () => localnet.close(),
  };
}

function countingExchange(localnet: Localnet): { exchange: Exchange; calls: string[] } {
  const { connection, calls } = countingConnection(localnet.rpcUrl);
  return { exchange: standInExchangeOn(localnet, { connection }), calls };
}
