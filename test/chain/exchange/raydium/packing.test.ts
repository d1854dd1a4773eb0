import { type Connection, Keypair, type PublicKey, SystemProgram } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { InstructionGroup, LaunchPoolRequest } from '../../../../chain/exchange/exchange.ts';
import { buildLocks, buildPool } from '../../../../chain/exchange/raydium/launch.ts';
import { launchRent } from '../../../../chain/exchange/raydium/rent.ts';
import { compileTransaction, MAX_TRANSACTION_BYTES } from '../../../../chain/transactions/compile.ts';
import { signTransaction } from '../../../../chain/transactions/sign-transaction.ts';
import { memoInstruction } from '../../../../chain/transactions/memo.ts';
import type { FeeTier } from '../../../../domain/token-facts.ts';
import { agreedTable } from '../../../support/exchange/agreed-table.ts';
import { LAUNCH_CASES } from '../../../support/exchange/contract-launch.ts';
import { drawParties, type LaunchCase, nameOf, poolRequest } from '../../../support/exchange/launch-request.ts';
import {
  type LaunchUnderTest,
  openTrader,
  prepareLaunch,
  quoteAndBuild,
} from '../../../support/exchange/launched-pool.ts';
import { planLaunch } from '../../../../chain/exchange/opening.ts';
import type { Landed } from '../../../support/exchange/test-chain.ts';
import { collectDirectly } from '../../../support/exchange/raydium/collecting.ts';
import { landWire, requiredOf } from '../../../support/exchange/raydium/large-groups.ts';
import { hasClmm, type RaydiumUnderTest, startRaydium } from '../../../support/exchange/raydium/real-program.ts';

const PURPOSE = 'launch/0b6f2ad6-7d1c-4f6a-9a53-0f8f3b1c2d3e/3';
const BLOCKHASH = Keypair.generate().publicKey.toBase58();

describe("a launch's transactions with a static lookup table", () => {
  test.each(LAUNCH_CASES.map((launch) => ({ name: nameOf(launch), launch })))(
    'the pool fits a packet without a memo, the locks with tip and memo: $name',
    async ({ launch }) => {
      const { request, wallet } = await requestOf(launch);
      const pool = buildPool(request);
      const bytes = await bytesOf(wallet, pool, []);
      const tip = SystemProgram.transfer({ fromPubkey: wallet, toPubkey: Keypair.generate().publicKey, lamports: 1 });
      const locks = await bytesOf(wallet, buildLocks(request, true), [tip, memoInstruction(PURPOSE)]);
      expect(bytes).toBeLessThanOrEqual(MAX_TRANSACTION_BYTES);
      expect(locks).toBeLessThanOrEqual(MAX_TRANSACTION_BYTES);
      console.log(`${nameOf(launch)}: pool ${bytes} bytes, locks ${locks} bytes`);
    },
  );

  test('with a memo and a compute budget, a pool with a dev buy does not fit', async () => {
    const [launch] = LAUNCH_CASES;
    if (!launch) throw new RangeError('no launch case');
    const { request, wallet } = await requestOf(launch);
    await expect(bytesOf(wallet, buildPool(request), [memoInstruction(PURPOSE)])).rejects.toThrow(RangeError);
  });
});

describe.runIf(hasClmm)("what Raydium's real program takes", () => {
  let started: RaydiumUnderTest;
  beforeAll(async () => {
    started = await startRaydium();
  });
  afterAll(() => started.close());

  test.each(LAUNCH_CASES.map((launch) => ({ name: nameOf(launch), launch })))(
    'takes the foreseen rent, and at most 65 % of the compute units asked for: $name',
    async ({ launch }) => {
      const prepared = await prepareLaunch(started.exchange, started.chain, launch);
      const { request } = prepared;
      const group = started.exchange.buildPool(request);
      const landed = await prepared.succeed(group);
      const { meta } = landed.response;
      const rent = BigInt((meta?.preBalances[0] ?? 0) - (meta?.postBalances[0] ?? 0) - (meta?.fee ?? 0));
      const locked = launchRent(request, false) - rent;
      expect(locked).toBe(2n * LOCK_RENT);
      const used = meta?.computeUnitsConsumed ?? 0;
      expect(used).toBeLessThanOrEqual(group.computeUnits * MOST_UNITS_TAKEN);
      const swapped = await swapCost(prepared);
      console.log(
        `${nameOf(launch)}: pool ${landed.bytes} bytes, ${used} units, ${rent} lamports;`,
        `swap ${swapped.bytes} bytes, ${swapped.units} units;`,
        await collectCost(prepared, started.connection),
      );
    },
  );

  test('with its memo and a dev buy it lands in one packet where it asks for no compute budget', async () => {
    const [launch] = LAUNCH_CASES;
    if (!launch) throw new RangeError('no launch case');
    const prepared = await prepareLaunch(started.exchange, started.chain, launch);
    const landed = await landWithMemo(prepared);
    expect([landed.err, landed.response.meta?.err]).toEqual([null, null]);
    expect(landed.bytes).toBeLessThanOrEqual(MAX_TRANSACTION_BYTES);
    expect((await prepared.state()).liquidity).toBeGreaterThan(0n);
  });
});

/** Lands the pool with a memo and without compute-budget instructions: then 200,000 units an instruction are allowed. */
async function landWithMemo({ request, parties, chain }: LaunchUnderTest): Promise<Landed> {
  const group = buildPool(request);
  const table = await chain.createLookupTable(group.lookupAddresses);
  const { blockhash } = await chain.connection.getLatestBlockhash('confirmed');
  const transaction = compileTransaction({
    payer: parties.wallet.publicKey,
    blockhash,
    instructions: [...group.instructions, memoInstruction(PURPOSE)],
    computeUnits: null,
    computeUnitPrice: 0n,
    lookupTables: [table],
  });
  const { signature, wire } = await signTransaction(
    transaction,
    requiredOf(transaction, [parties.wallet, ...parties.positionMints]),
  );
  return landWire(chain.connection, signature, wire);
}

const MOST_UNITS_TAKEN = 0.65;

/** The lock's account, a classic mint and its account, and the NFT's new account. */
const LOCK_RENT = 8_143_200n;

async function swapCost(launch: LaunchUnderTest) {
  const trader = await openTrader(launch);
  const { group } = await quoteAndBuild(launch, trader, { side: 'buy', exact: 'in', amount: 50_000_000n });
  const landed = await launch.chain.succeed(trader.wallet, group);
  const units = landed.response.meta?.computeUnitsConsumed ?? 0;
  expect(units).toBeLessThanOrEqual(group.computeUnits * MOST_UNITS_TAKEN);
  return { bytes: landed.bytes, units };
}

async function collectCost(launch: LaunchUnderTest, connection: Connection): Promise<string> {
  await launch.chain.openAccount(launch.request.quote, launch.request.launchWallet);
  const { bytes, computeUnits } = await collectDirectly(launch, connection, 0);
  return `collect ${bytes} bytes, ${computeUnits} units`;
}

/** Plans as every adapter does, with the rates of the two fee configurations. */
const PLANNER = {
  planLaunch,
  poolFees: (tier: FeeTier) =>
    Promise.resolve({
      tickSpacing: 120,
      feePpm: tier === '1%' ? 10_000 : 20_000,
      protocolPpm: 120_000,
      fundPpm: 40_000,
    }),
};

/** A launch's request, planned with the rates that both configurations have; no chain is asked. */
async function requestOf(launch: LaunchCase): Promise<{ request: LaunchPoolRequest; wallet: PublicKey }> {
  const quoteMint = Keypair.generate().publicKey;
  const parties = drawParties(quoteMint, launch.baseFirst);
  return { request: await poolRequest(PLANNER, launch, parties, quoteMint), wallet: parties.wallet.publicKey };
}

async function bytesOf(
  payer: PublicKey,
  group: InstructionGroup,
  more: InstructionGroup['instructions'],
): Promise<number> {
  const transaction = compileTransaction({
    payer,
    instructions: [...group.instructions, ...more],
    computeUnits: group.computeUnits,
    computeUnitPrice: 1_000n,
    blockhash: BLOCKHASH,
    lookupTables: [await agreedTable(group.lookupAddresses)],
  });
  return 1 + 64 * transaction.message.header.numRequiredSignatures + transaction.message.serialize().length;
}
