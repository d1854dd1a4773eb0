import * as buybackRounds from '../../../db/buyback/buyback-rounds.ts';
import type { Db } from '../../../db/connect.ts';
import { insertSigned } from '../../../db/money/chain-transaction-insert.ts';
import { startBroadcast } from '../../../db/money/chain-transaction-batches.ts';
import * as marks from '../../../db/money/chain-transaction-marks.ts';
import { buybackBurnPurpose, type BuybackKind, buybackSwapPurpose } from '../../../domain/buyback/buyback.ts';
import type { Purpose } from '../../../domain/purpose.ts';
import { address, signature } from '../launch/launch-rows.ts';
import { spendableUsd } from '../trading/spendable.ts';

/** How a purchase differs from the usual one of the platform token, burned. */
export interface BuybackFacts {
  readonly kind?: BuybackKind;
  readonly spentRaw?: bigint;
  readonly boughtRaw?: bigint;
  /** USD per whole quote token; null without a price. */
  readonly quoteUsd?: string | null;
  readonly isBurned?: boolean;
}

/** Books a purchase with its swap and burn; answers their signatures. */
export async function bookBuyback(
  db: Db,
  { mint, quoteMint }: { readonly mint: string; readonly quoteMint: string },
  facts: BuybackFacts = {},
): Promise<{ readonly signature: string; readonly burnSignature: string | null }> {
  const {
    kind = 'buyback',
    spentRaw = 1_000_000n,
    boughtRaw = 1_000_000_000n,
    quoteUsd = '1',
    isBurned = true,
  } = facts;
  const price =
    quoteUsd === null
      ? { quoteUsd, priceSource: null, pricedAt: null }
      : { quoteUsd: spendableUsd(quoteUsd), priceSource: 'fixed' as const, pricedAt: new Date() };
  const id = await buybackRounds.plan(db, { kind, mint, quoteMint, mostRaw: spentRaw, ...price });
  const swap = await bookTransaction(db, buybackSwapPurpose(id));
  await buybackRounds.settleSwap(db, id, { spentRaw, boughtRaw, signature: swap, slot: 100n });
  if (!isBurned) return { signature: swap, burnSignature: null };
  const burnSignature = await bookTransaction(db, buybackBurnPurpose(id, 1));
  await buybackRounds.finish(db, id);
  return { signature: swap, burnSignature };
}

async function bookTransaction(db: Db, purpose: Purpose): Promise<string> {
  const row = { purpose, attempt: 1, signature: signature(), wire: Buffer.from('wire'), blockhash: address() };
  await insertSigned(db, [{ ...row, blockhashSlot: 1n, lastValidBlockHeight: 2n }]);
  await startBroadcast(db, [row]);
  await marks.mark(db, marks.finalized(row.signature, 100n));
  return row.signature;
}
