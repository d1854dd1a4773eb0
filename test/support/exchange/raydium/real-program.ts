import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Connection, type PublicKey } from '@solana/web3.js';
import type { Exchange } from '../../../../chain/exchange/exchange.ts';
import { createRaydiumExchange } from '../../../../chain/exchange/raydium/raydium-exchange.ts';
import { type Localnet, startLocalnet } from '../../../../dev/localnet/index.ts';
import { tierAccount } from '../../../../dev/seed/raydium-tiers.ts';
import type { ExchangeOfFixture } from '../../market/market-platform.ts';
import { createTestChain, type TestChain } from '../test-chain.ts';
import { withLookupTables } from './large-groups.ts';
import { lockStandIn } from './lock-stand-in.ts';

const ELF = 'raydium_clmm.so';
const SLOT_MS = 40;

const programsDir = process.env['PROGRAMS_DIR'];

/** Whether Raydium's real program is at hand; says so plainly where it is not. */
export const hasClmm = programsDir !== undefined && existsSync(join(programsDir, ELF));
if (!hasClmm) console.warn(`skipped: the exchange on Raydium's real program, because PROGRAMS_DIR holds no ${ELF}`);

/** The adapter on a local chain that runs Raydium's real program. */
export interface RaydiumUnderTest {
  readonly localnet: Localnet;
  readonly connection: Connection;
  /** With a step of the tests' own in the place of the lock program, whose ELF cannot be had. */
  readonly exchange: Exchange;
  readonly chain: TestChain;
  close(): Promise<void>;
}

/** Starts a local chain with the program and the two fee configurations that launches use. */
export async function startRaydium(): Promise<RaydiumUnderTest> {
  const localnet = await startLocalnet({ slotMs: SLOT_MS, ...(programsDir !== undefined && { programsDir }) });
  localnet.control.setAccounts([configAccount(3, 10_000), configAccount(9, 20_000)]);
  const connection = new Connection(localnet.rpcUrl, 'confirmed');
  const plain = await createTestChain(connection, (wallet, lamports) => {
    localnet.control.fund(wallet.toBase58(), BigInt(lamports));
    return Promise.resolve();
  });
  const real = createRaydiumExchange({ connection, feeKeyMetadata: false });
  return {
    localnet,
    connection,
    exchange: { ...real, buildLocks: (request) => lockStandIn(localnet.control, request) },
    chain: withLookupTables(plain),
    close: () => localnet.close(),
  };
}

/** Raydium's real program for a market's fixture; the folder is PROGRAMS_DIR. */
export const RAYDIUM_OF_FIXTURE: ExchangeOfFixture = {
  programsDir: programsDir ?? '',
  open: (localnet, connection = new Connection(localnet.rpcUrl, 'confirmed')) => ({
    ...createRaydiumExchange({ connection, feeKeyMetadata: false }),
    buildLocks: (request) => lockStandIn(localnet.control, request),
  }),
  prepare(localnet, chain) {
    localnet.control.setAccounts([configAccount(3, 10_000), configAccount(9, 20_000)]);
    return withLookupTables(chain);
  },
};

/** A fee configuration as Raydium has it on mainnet but for the fee, to be put on the chain. */
export function configAccount(index: number, feePpm: number) {
  const { address, data, owner } = tierAccount(index, feePpm);
  return [address.toBase58(), accountWith(Buffer.from(data), owner)] as const;
}

/** An account that a test puts on the chain. */
export function accountWith(data: Buffer, owner: PublicKey) {
  return { lamports: 10_000_000n, data, owner: owner.toBase58(), executable: false };
}
