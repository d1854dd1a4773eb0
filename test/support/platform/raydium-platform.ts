import { Connection, Keypair, PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import { raydiumAdapter } from '../../../chain/exchange/raydium/raydium-adapter.ts';
import { createRaydiumExchange } from '../../../chain/exchange/raydium/raydium-exchange.ts';
import { createTable, extendTable, type TableManager } from '../../../chain/launch/manage-table.ts';
import { exchangeEntries, pairEntries } from '../../../chain/launch/table-contents.ts';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import type { ChainControl } from '../../../dev/localnet/index.ts';
import { SEED_PAIRS } from '../../../dev/seed/local-pairs.ts';
import { withKeeper } from '../exchange/raydium/keeper.ts';
import { configAccount, hasClmm } from '../exchange/raydium/real-program.ts';
import {
  type ExchangeFixture,
  type OpenedExchange,
  type Platform,
  type PlatformOptions,
  startPlatform,
} from './platform.ts';
import { addressOf } from './secrets.ts';

export { hasClmm };

/**
 * The whole platform with Raydium on a local chain that runs Raydium's real CLMM, and Metaplex' program where
 * PROGRAMS_DIR holds it too. A wallet of the tests stands in for the lock program alone.
 */
export function startRaydiumPlatform(options: PlatformOptions): Promise<Platform> {
  const programsDir = process.env['PROGRAMS_DIR'];
  return startPlatform({ ...options, openExchange, ...(programsDir !== undefined && { programsDir }) });
}

/** Symbol of the one pair whose addresses are not in the lookup table. */
export const UNTABLED = 'CORAL';

/** Puts both fee configurations on the chain as mainnet has them. */
export function resetTiers(control: ChainControl): void {
  control.setAccounts([configAccount(3, 10_000), configAccount(9, 20_000)]);
}

async function openExchange({ chain, secrets }: ExchangeFixture): Promise<OpenedExchange> {
  resetTiers(chain.control);
  const connection = new Connection(chain.rpcUrl, 'confirmed');
  const real = createRaydiumExchange({ connection, feeKeyMetadata: false });
  const manager: TableManager = {
    connection,
    rpc: createRpc({ endpoints: [chain.rpcUrl] }),
    computeUnitPrice: 0n,
    pollMs: 20,
    payer: Keypair.fromSecretKey(bs58.decode(secrets.PLATFORM_SECRET_KEY)),
  };
  const treasury = new PublicKey(addressOf(secrets.TREASURY_SECRET_KEY));
  const pairs = SEED_PAIRS.filter(({ symbol }) => symbol !== UNTABLED).map((pair) => ({
    ...pair,
    mint: pair.mint.toBase58(),
    tokenProgram: pair.tokenProgram.toBase58(),
  }));
  const entries = [...exchangeEntries(real), ...pairs.flatMap((pair) => pairEntries(pair, treasury))];
  const table = await createTable(manager, () => undefined);
  await extendTable(
    manager,
    table,
    entries.map(({ address }) => address),
  );
  const exchange = withKeeper(real, chain.control, connection);
  return {
    variables: { LOOKUP_TABLE: table.toBase58(), STAND_IN_SEED: undefined },
    adapter: { ...raydiumAdapter(table.toBase58()), open: () => exchange },
  };
}
