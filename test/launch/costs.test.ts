import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createMintToInstruction } from '@solana/spl-token';
import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BASE_LAMPORTS, MOST_PRICE, MOST_TIP_LAMPORTS } from '../../domain/launch/launch-price.ts';
import { paymentNetworkFee } from '../../chain/launch/payment.ts';
import { createTokenAccount, tokenAccountOf } from '../../chain/tokens/associated-account.ts';
import { baseTokenOf } from '../../chain/launch/pool-request.ts';
import {
  compileTransaction,
  MAX_TRANSACTION_BYTES,
  TransactionTooLargeError,
} from '../../chain/transactions/compile.ts';
import { TOTAL_SUPPLY_RAW } from '../../domain/token-facts.ts';
import { partOf } from '../../dev/docs/marked-part.ts';
import { type Fixture, openFixture } from '../../bench/launch-costs/launch-inputs.ts';
import { buildVariant, type LaunchCost } from '../../bench/launch-costs/land.ts';
import { type CostRun, measureCosts } from '../../bench/launch-costs/measure.ts';
import { costTable } from '../../bench/launch-costs/table.ts';
import { LONGEST, METADATA_URI, PAYMENT_COMPUTE_UNIT_PRICE, type PlanOptions } from '../../bench/launch-costs/terms.ts';
import { LAUNCH_VARIANTS, type LaunchVariant, nameOfVariant } from '../../bench/launch-costs/variants.ts';

const DOCUMENT = join(import.meta.dirname, '../../docs/launch-costs.md');
/** The rest is for addresses that take long to find: 1,500 units a try, up to five addresses in a transaction. */
const MOST_UNITS_TAKEN = 0.5;
/** Longest metadata address with which every kind of launch fits; docs/launch-costs.md names it. */
const LONGEST_URI = 161;
const LONGEST_RAYDIUM_URI = 115;

const programsDir = process.env['PROGRAMS_DIR'];
const hasClmm = programsDir !== undefined && existsSync(join(programsDir, 'raydium_clmm.so'));
const hasProgram = programsDir !== undefined && existsSync(join(programsDir, 'mpl_token_metadata.so'));
if (!hasProgram)
  console.warn('skipped: costs with the metadata program, because PROGRAMS_DIR holds no mpl_token_metadata.so');

if (!hasClmm || !hasProgram)
  console.warn(
    'skipped: costs on Raydium, because PROGRAMS_DIR holds not both raydium_clmm.so and mpl_token_metadata.so',
  );

/** What must hold of every run, whatever programs are deployed. */
function promises(run: () => CostRun): void {
  const costOf = (variant: LaunchVariant): LaunchCost => {
    const cost = run().costs.find((found) => found.variant === variant);
    if (!cost) throw new Error(`${nameOfVariant(variant)} was not measured`);
    return cost;
  };
  const measured = () => run().costs.map(({ variant }) => variant);

  test('every transaction fits a packet with the longest texts', () => {
    const tooLong = measured().flatMap((variant) =>
      costOf(variant).transactions.flatMap(({ bytes }, index) =>
        bytes < MAX_TRANSACTION_BYTES ? [] : [`${nameOfVariant(variant)}: transaction ${index + 1} has ${bytes} bytes`],
      ),
    );
    expect(tooLong).toEqual([]);
  });

  test('no transaction takes more than half of the compute units it asks for', () => {
    const tooHungry = measured().flatMap((variant) =>
      costOf(variant).transactions.flatMap(({ unitsConsumed, unitsRequested }, index) =>
        unitsConsumed === null || (unitsConsumed > 0 && unitsConsumed <= unitsRequested * MOST_UNITS_TAKEN)
          ? []
          : [`${nameOfVariant(variant)}: transaction ${index + 1} took ${unitsConsumed} of ${unitsRequested}`],
      ),
    );
    expect(tooHungry).toEqual([]);
  });

  test('rent, fees and tip stay within the base price, and what is left is the rest of it to the lamport', () => {
    for (const variant of measured()) {
      const { rent, fees, tip, left } = costOf(variant);
      expect(rent + fees + tip, nameOfVariant(variant)).toBeLessThanOrEqual(BASE_LAMPORTS);
      expect(rent + fees + tip + left, nameOfVariant(variant)).toBe(BASE_LAMPORTS);
    }
  });

  test('the dearest tip and priority fee that can be configured are covered too', () => {
    for (const variant of measured()) {
      const { left, tip, transactions } = costOf(variant);
      const units = transactions.slice(1).reduce((sum, { unitsRequested }) => sum + BigInt(unitsRequested), 0n);
      const dearer = BigInt(MOST_TIP_LAMPORTS) - tip + (units * BigInt(MOST_PRICE)) / 1_000_000n;
      expect(left - dearer, nameOfVariant(variant)).toBeGreaterThan(0n);
    }
  });

  test('the payment costs its creator exactly the network fee that is foretold', () => {
    const fees = new Set(measured().map((variant) => costOf(variant).transactions[0]?.fee));
    expect([...fees]).toEqual([paymentNetworkFee(PAYMENT_COMPUTE_UNIT_PRICE)]);
  });

  test('the table in docs/launch-costs.md is what is measured (node bench/launch-costs.ts --write)', async () => {
    expect(partOf(await readFile(DOCUMENT, 'utf8'), run().table)).toBe(costTable(run().costs));
  });
}

describe('every kind of launch on the local exchange', () => {
  let run: CostRun;
  beforeAll(async () => {
    run = await measureCosts();
  });

  test('all 32 kinds land: four fee models, dev buy or none, two token programs, both mint orders', () => {
    expect(run.table).toBe('stand-in');
    expect(run.costs.map(({ variant }) => variant)).toEqual(LAUNCH_VARIANTS);
    expect(LAUNCH_VARIANTS).toHaveLength(32);
  });
  promises(() => run);
});

describe.skipIf(!hasProgram)('standard launches with the real metadata program', () => {
  let run: CostRun;
  beforeAll(async () => {
    run = await measureCosts({ programsDir });
  });

  test('all 16 kinds land', () => {
    expect(run.table).toBe('metadata-program');
    expect(run.costs).toHaveLength(16);
  });
  promises(() => run);
});

describe.skipIf(!hasClmm || !hasProgram)('every kind of launch on Raydium’s real program', () => {
  let run: CostRun;
  beforeAll(async () => {
    run = await measureCosts({ programsDir, exchange: 'raydium' });
  });

  test('all 32 kinds land, up to the locks', () => {
    expect(run.table).toBe('raydium');
    expect(run.costs.map(({ variant }) => variant)).toEqual(LAUNCH_VARIANTS);
    const [first] = run.costs;
    expect(first?.transactions.map(({ unitsConsumed }) => unitsConsumed === null)).toEqual([false, false, false, true]);
  });
  promises(() => run);
});

describe.each([
  { exchange: 'local', longest: LONGEST_URI },
  { exchange: 'raydium', longest: LONGEST_RAYDIUM_URI },
] as const)('the longest texts on $exchange', ({ exchange, longest }) => {
  let ground: Fixture;
  beforeAll(async () => {
    ground = await openFixture(undefined, exchange);
  });
  afterAll(() => ground.close());
  const build = async (variant: LaunchVariant, uriLength: number, more: Pick<PlanOptions, 'airdropRaw'> = {}) => {
    const { blockhash } = await ground.connection.getLatestBlockhash('confirmed');
    return buildVariant(ground, variant, { blockhash, metadataUri: METADATA_URI.padEnd(uriLength, 'x'), ...more });
  };

  test('are as long as the limits allow, in characters of several bytes', () => {
    expect(Buffer.byteLength(LONGEST.name)).toBe(32);
    expect(Buffer.byteLength(LONGEST.symbol)).toBe(10);
    expect(METADATA_URI).toHaveLength(97);
  });

  test('fit a packet in every kind of launch', async () => {
    for (const variant of LAUNCH_VARIANTS) {
      const { bundle } = await build(variant, METADATA_URI.length);
      const bytes = bundle.map(({ wire }) => wire.length);
      expect(Math.max(...bytes), nameOfVariant(variant)).toBeLessThan(MAX_TRANSACTION_BYTES);
    }
  });

  test('are as long in every kind of reward launch with the largest airdrop', async () => {
    for (const variant of LAUNCH_VARIANTS.filter(({ fee }) => fee.mode === 'reward')) {
      const sizes = ({ bundle }: { bundle: readonly { wire: Uint8Array }[] }) => bundle.map(({ wire }) => wire.length);
      const airdropRaw = TOTAL_SUPPLY_RAW / 2n;
      const [without, withOne] = [await build(variant, 97), await build(variant, 97, { airdropRaw })];
      expect(sizes(withOne), nameOfVariant(variant)).toEqual(sizes(without));
    }
  });

  test('leave no room for a wallet of the airdrop’s own beside a dev buy', async () => {
    const variant = LAUNCH_VARIANTS.find(({ fee, devBuy }) => fee.mode === 'reward' && devBuy)!;
    const { terms, bundle } = await build(variant, METADATA_URI.length);
    const { message } = VersionedTransaction.deserialize(bundle[1]!.wire);
    const addressLookupTableAccounts = [...(await ground.builder.lookupTables())];
    const plain = TransactionMessage.decompile(message, { addressLookupTableAccounts });
    const [wallet, own] = [new PublicKey(terms.addresses.launchWallet), Keypair.generate().publicKey];
    const token = baseTokenOf(terms);
    const account = tokenAccountOf(token, own);
    const instructions = [
      // Without compute limit and priority fee, which a transaction that is too long goes without.
      ...plain.instructions.filter(({ programId }) => !programId.equals(ComputeBudgetProgram.programId)),
      createTokenAccount(wallet, token, own),
      createMintToInstruction(token.mint, account, wallet, 1n, [], token.tokenProgram),
      SystemProgram.transfer({ fromPubkey: wallet, toPubkey: own, lamports: 1n }),
    ];
    const plan = { payer: wallet, blockhash: plain.recentBlockhash, computeUnits: null, computeUnitPrice: 0n };
    const compile = () => compileTransaction({ ...plan, instructions, lookupTables: addressLookupTableAccounts });
    expect(compile).toThrow(TransactionTooLargeError);
  });

  test(`leave room for a metadata address of ${longest} characters, and no more`, async () => {
    for (const variant of LAUNCH_VARIANTS) expect((await build(variant, longest)).bundle).toHaveLength(4);
    const tight = LAUNCH_VARIANTS.filter(({ devBuy }) => devBuy);
    const refused = await Promise.allSettled(tight.map((variant) => build(variant, longest + 1)));
    expect(refused.some(({ status }) => status === 'rejected')).toBe(true);
    expect(await readFile(DOCUMENT, 'utf8')).toContain(`room for ${longest} `);
  });
});
