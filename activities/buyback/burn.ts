import { buildBurn } from '../../chain/transactions/burn.ts';
import * as burns from '../../db/burns.ts';
import * as buybackRounds from '../../db/buyback/buyback-rounds.ts';
import type { BoughtBuyback, BuybackRound } from '../../db/buyback/buyback-rounds.ts';
import { type Db, transaction } from '../../db/connect.ts';
import { type DueLock, proveUnsigned } from '../../db/money/due-lock.ts';
import { buybackBurnPurpose } from '../../domain/buyback/buyback.ts';
import { worthUsd } from '../../domain/pool-price.ts';
import { finalizedMovement, gainOf } from '../money/movement.ts';
import { moveOnce } from '../money/move-once.ts';
import type { BuybackDeps } from './deps.ts';
import { type BuybackMarket, readMarket } from './market.ts';

/** Burns exactly what the swap brought, once, valued at the amount paid. */
export async function burnBought(deps: BuybackDeps, round: BuybackRound): Promise<void> {
  const { signers, settings } = deps;
  const { boughtRaw } = round;
  if (boughtRaw === null) throw new Error(`purchase ${round.id} is bought, but has no swap`);
  const market = await readMarket(deps, round);
  const purpose = buybackBurnPurpose(round.id, 1);
  const { treasury: wallet, platform: payer } = signers;
  const frame = { payer, wallet, computeUnitPrice: settings.computeUnitPrice };
  const moved = await moveOnce(deps, {
    purpose,
    payer: payer.publicKey,
    assertDue: (tx) => lockBurn(tx, round.id),
    build: async (stamp) => (boughtRaw > 0n ? buildBurn({ ...frame, stamp }, market.base, boughtRaw) : null),
  });
  if (!moved) return finishUnburned(deps.db, round.id);
  const landed = await finalizedMovement(deps, moved);
  const amountRaw = -gainOf(landed, market.account);
  await book(deps, round, market, { amountRaw, signature: landed.signature, burnedAt: landed.at });
}

async function lockBurn(tx: Db, id: string): Promise<DueLock<BoughtBuyback>> {
  const lock = await buybackRounds.lockBought(tx, id);
  if (!lock) throw new Error(`purchase ${id} has nothing to burn any more`);
  return lock;
}

function finishUnburned(db: Db, id: string): Promise<void> {
  return transaction(db, async (tx) => {
    await buybackRounds.finishUnburned(await proveUnsigned(await lockBurn(tx, id)));
  });
}

async function book(
  { db, logger }: BuybackDeps,
  { id, kind, mint, quoteUsd, spentRaw }: BuybackRound,
  { quote }: BuybackMarket,
  burn: { readonly amountRaw: bigint; readonly signature: string; readonly burnedAt: Date },
): Promise<void> {
  const valueUsd = quoteUsd === null ? null : worthUsd(spentRaw ?? 0n, quote.decimals, quoteUsd);
  await transaction(db, async (tx) => {
    if (!(await buybackRounds.finish(tx, id))) return;
    await burns.record(tx, { mint, kind, valueUsd, ...burn });
  });
  logger.info({ signature: burn.signature, amountRaw: String(burn.amountRaw), valueUsd }, 'bought tokens burned');
}
