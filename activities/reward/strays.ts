import { readPotChange, type PotChange } from '../../chain/transactions/movement.ts';
import { type HistoryEntry, splitMemos } from '../../chain/rpc/history.ts';
import type { LandedTransaction } from '../../chain/rpc/transactions.ts';
import { isSignedBy } from '../../chain/transactions/verify.ts';
import { createPairRepository } from '../../db/pairs.ts';
import { pricesAt } from '../../db/prices/prices-at.ts';
import { createRewardTransactionRepository } from '../../db/reward/reward-transactions.ts';
import { readRewardPurpose, type RewardTransactionKind } from '../../domain/reward/reward.ts';
import { movementOf } from './book.ts';
import type { RewardDeps } from './deps.ts';
import { partiesOf, type RewardMarket } from './market.ts';

/** A transaction that the chain has and the books did not. */
export interface Stray {
  readonly roundId: string;
  readonly kind: RewardTransactionKind;
}

/**
 * Books what a pot moved by transactions that the books do not know, as after a database was restored: they name their
 * round in their memo, and only what the pot's own key signed counts. Throws while one of them is not final.
 */
export async function bookStrays(deps: RewardDeps, market: RewardMarket, sinceSlot: bigint): Promise<Stray[]> {
  const pot = market.pot.publicKey.toBase58();
  const range = { commitment: 'confirmed', afterSlot: Number(sinceSlot) - 1 } as const;
  // An endpoint may lack some; what any of them has, happened.
  const entries = new Map((await deps.rpc.historiesOf(pot, range)).flat().map((entry) => [entry.signature, entry]));
  const strays: Stray[] = [];
  for (const entry of [...entries.values()].sort((a, b) => a.slot - b.slot)) {
    const stray = await bookStray(deps, market, entry);
    if (stray) strays.push(stray);
  }
  return strays;
}

async function bookStray(deps: RewardDeps, market: RewardMarket, entry: HistoryEntry): Promise<Stray | null> {
  const { signature, err, memo } = entry;
  if (err !== null || memo === null) return null;
  const [purpose] = splitMemos(memo).flatMap((text) => readRewardPurpose(text) ?? []);
  if (!purpose) return null;
  const transactions = createRewardTransactionRepository(deps.db);
  const known = await transactions.ofRound(purpose.roundId);
  if (known.some(({ n }) => n === purpose.n)) return null;
  const landed = await deps.rpc.getTransaction(signature, 'finalized');
  if (!landed) throw new Error(`${signature}, which the books lack, is not final yet`);
  if (!isSignedBy(landed.wire, market.pot.publicKey.toBase58())) return null;
  const change = readPotChange(landed, partiesOf(deps, market));
  const movement = movementOf(landed, change, market, await quoteUsdAt(deps, market, landed));
  const kind = kindOf(change);
  const booked = await transactions.adopt({ ...purpose, mint: market.token.mint, kind, movement });
  deps.logger.warn({ ...purpose, signature, kind }, 'found a reward transaction on the chain that the books lacked');
  return booked ? { roundId: purpose.roundId, kind } : null;
}

async function quoteUsdAt({ db }: RewardDeps, { token }: RewardMarket, { blockTime }: LandedTransaction) {
  const pair = await createPairRepository(db).byMint(token.quoteMint);
  if (!pair || blockTime === null) return null;
  return (await pricesAt(db, token.quoteMint, [new Date(blockTime * 1_000)], pair))[0] ?? null;
}

/** What moved tells what it was; a harvest that brought no quote tokens looks like withdrawn tax, and is booked the same. */
function kindOf({ baseRaw, quoteRaw, isExcess }: PotChange): RewardTransactionKind {
  if (isExcess) return 'excess';
  if (quoteRaw < 0n) return 'payout';
  if (baseRaw < 0n) return 'sale';
  return quoteRaw > 0n ? 'harvest' : 'tax';
}
