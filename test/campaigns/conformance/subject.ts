import { Connection, LAMPORTS_PER_SOL, type PublicKey } from '@solana/web3.js';
import type { Exchange } from '../../../chain/exchange/exchange.ts';
import { createStandInExchange } from '../../../dev/stand-in/stand-in-exchange.ts';
import { createRaydiumExchange } from '../../../chain/exchange/raydium/raydium-exchange.ts';
import type { ExchangeUnderTest } from '../../support/exchange/exchange-under-test.ts';
import { withLookupTables } from '../../support/exchange/raydium/large-groups.ts';
import { createTestChain } from '../../support/exchange/test-chain.ts';

/** What a run is about; the runner hands it to the suite by these variables. */
export interface Subject {
  readonly kind: Exchange['kind'];
  /** A chain with a faucet: a fork or a local one, never a real cluster. */
  readonly rpcUrl: string;
}

const RPC_VARIABLE = 'CONFORMANCE_RPC_URL';
const KIND_VARIABLE = 'CONFORMANCE_EXCHANGE';

/** Any will do: it belongs to pools that end with the chain. */
const LOCAL_SEED = new Uint8Array(32).fill(11);

const FUND_TIMEOUT_MS = 30_000;

/** The variables that {@link readSubject} reads. */
export function subjectVariables({ kind, rpcUrl }: Subject): Record<string, string> {
  return { [RPC_VARIABLE]: rpcUrl, [KIND_VARIABLE]: kind };
}

/** The subject of this run. Throws outside of one. */
export function readSubject(): Subject {
  const [rpcUrl, kind] = [process.env[RPC_VARIABLE], process.env[KIND_VARIABLE]];
  if (!rpcUrl || (kind !== 'local' && kind !== 'raydium')) throw new Error('started without npm run conformance');
  return { rpcUrl, kind };
}

/** The adapter on the subject's chain, with a funded bank. */
export async function startSubject({ kind, rpcUrl }: Subject): Promise<ExchangeUnderTest & { connection: Connection }> {
  const connection = new Connection(rpcUrl, 'confirmed');
  const chain = await createTestChain(connection, (wallet, lamports) => fund(connection, wallet, lamports));
  return {
    connection,
    exchange: await exchangeOn(kind, connection),
    chain: kind === 'raydium' ? withLookupTables(chain) : chain,
    close: () => Promise.resolve(),
  };
}

async function exchangeOn(kind: Exchange['kind'], connection: Connection): Promise<Exchange> {
  if (kind === 'raydium') return createRaydiumExchange({ connection, feeKeyMetadata: false });
  return createStandInExchange({ connection, seed: LOCAL_SEED, genesisHash: await connection.getGenesisHash() });
}

async function fund(connection: Connection, wallet: PublicKey, lamports: number): Promise<void> {
  await connection.requestAirdrop(wallet, lamports);
  const deadline = Date.now() + FUND_TIMEOUT_MS;
  while ((await connection.getBalance(wallet, 'confirmed')) < lamports) {
    if (Date.now() > deadline) throw new Error(`the faucet gave no ${lamports / LAMPORTS_PER_SOL} SOL`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
