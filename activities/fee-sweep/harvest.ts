import { PublicKey } from '@solana/web3.js';
import { isEmpty, type PositionFees, readPositionFees } from '../../chain/exchange/position-fees.ts';
import { tokenAccountOf } from '../../chain/tokens/associated-account.ts';
import { quoteFeeProblem } from '../../chain/tokens/transfer-fee.ts';
import { buildSweepHarvest } from '../../chain/fee-sweep/harvest-transaction.ts';
import type { Stamp } from '../../chain/lanes/stamp.ts';
import type { SignedTransaction } from '../../chain/transactions/compile.ts';
import { transaction } from '../../db/connect.ts';
import * as feeHarvests from '../../db/fee-sweep/fee-harvests.ts';
import * as feeSweeps from '../../db/fee-sweep/fee-sweeps.ts';
import type { PositionSweep, SweepPrices } from '../../db/fee-sweep/fee-sweeps.ts';
import { feeSweepPurpose } from '../../domain/fee-sweep/fee-sweep.ts';
import { worthSpendable } from '../../domain/trading/spendable-price.ts';
import { type FinalizedMovement, gainOf } from '../money/movement.ts';
import { burnPriceUsd } from './burn-price.ts';
import type { FeeSweepDeps, PlannedLeg } from './deps.ts';
import { ACCOUNTS_LAMPORTS } from './funds.ts';
import { createPlannedPrices } from '../trading/planned-prices.ts';
import { type SweptTokens, tokensOf } from './tokens.ts';

export class FeeKeyElsewhereError extends Error {
  constructor(feeKeyMint: string, holder: string | null, wallet: string) {
    super(`Fee Key ${feeKeyMint} lies with ${holder ?? 'nobody'}, not with the platform wallet ${wallet}`);
    this.name = 'FeeKeyElsewhereError';
  }
}

/** Collects what the position earned. The plan is cancelled if nothing is left to collect. */
export const harvestLeg: PlannedLeg = {
  purpose: feeSweepPurpose,
  lock: feeSweeps.lockPlanned,
  async open(deps, sweep) {
    const tokens = await tokensOf(deps, sweep.position);
    return {
      payer: deps.signers.platform.publicKey,
      lamports: ACCOUNTS_LAMPORTS,
      build: (stamp) => buildHarvest(deps, sweep, tokens, stamp),
      book: (landed) => book(deps, sweep, tokens, landed),
    };
  },
  end: feeSweeps.cancel,
  ended: ({ number, mint }) => `sweep ${number} of ${mint} is withdrawn`,
};

async function buildHarvest(
  deps: FeeSweepDeps,
  sweep: PositionSweep,
  tokens: SweptTokens,
  stamp: Stamp,
): Promise<SignedTransaction | null> {
  const { exchange, signers, settings, rpc } = deps;
  const fees = { ...(await readPositionFees({ exchange, rpc }, keysOf(sweep))), ...tokens };
  if (isEmpty(fees.claimable)) return null;
  assertHeld(fees, signers.platform.publicKey);
  const problem = quoteFeeProblem(fees.quote);
  if (problem !== null) throw new Error(`fees of ${fees.base.mint.toBase58()} stay where they are: ${problem}`);
  await feeSweeps.reprice(deps.db, sweep, await pricesOf(deps, fees));
  return buildSweepHarvest({
    exchange,
    fees,
    stamp,
    treasury: signers.treasury.publicKey,
    payer: signers.platform,
    wallet: signers.platform,
    computeUnitPrice: settings.computeUnitPrice,
  });
}

/** Reads prices at signing time: the fees are claimed then, however old the plan is. */
async function pricesOf(deps: FeeSweepDeps, { base, quote }: PositionFees): Promise<SweepPrices> {
  const { quoteUsd, priceSource, pricedAt } = await createPlannedPrices(deps)(quote.mint.toBase58());
  const baseUsd = await burnPriceUsd(deps, base.mint.toBase58(), quoteUsd);
  return { quoteUsd, priceSource, pricedAt, baseUsd };
}

function keysOf({ position }: PositionSweep) {
  const { mint, quoteMint, pool, feeKeyMint } = position;
  const key = (address: string) => new PublicKey(address);
  return { mint: key(mint), quoteMint: key(quoteMint), pool: key(pool), feeKeyMint: key(feeKeyMint) };
}

function assertHeld({ holder, position }: PositionFees, platform: PublicKey): void {
  if (holder?.equals(platform)) return;
  throw new FeeKeyElsewhereError(position.feeKeyMint.toBase58(), holder?.toBase58() ?? null, platform.toBase58());
}

/** Books the harvest from its own finalized balance changes, net of withheld tax. */
async function book(
  { db, signers, logger }: FeeSweepDeps,
  sweep: PositionSweep,
  tokens: SweptTokens,
  landed: FinalizedMovement,
): Promise<void> {
  const baseRaw = gainOf(landed, tokenAccountOf(tokens.base, signers.platform.publicKey));
  const quoteRaw = gainOf(landed, tokenAccountOf(tokens.quote, signers.treasury.publicKey));
  const { mint, number, buybackBps, flywheelBps } = sweep;
  const { pool, feeKeyMint, quoteMint } = sweep.position;
  const { quoteUsd, priceSource, pricedAt } = (await feeSweeps.byKey(db, sweep)) ?? sweep;
  const valueUsd = quoteUsd === null ? null : worthSpendable(quoteRaw, tokens.quote.decimals, quoteUsd);
  const amounts = { baseRaw, quoteRaw, valueUsd };
  await transaction(db, async (tx) => {
    const to = baseRaw === 0n ? 'done' : 'harvested';
    if (!(await feeSweeps.advance(tx, sweep, 'planned', to))) return;
    await feeHarvests.record(tx, {
      purpose: feeSweepPurpose(sweep),
      mint,
      number,
      pool,
      feeKeyMint,
      quoteMint,
      ...amounts,
      quoteUsd,
      priceSource,
      pricedAt,
      buybackBps,
      flywheelBps,
      signature: landed.signature,
      slot: BigInt(landed.slot),
      harvestedAt: landed.at,
    });
  });
  logger.info({ ...amounts, baseRaw: String(baseRaw), quoteRaw: String(quoteRaw) }, 'fees harvested');
}
