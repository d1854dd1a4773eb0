import type { PublicKey } from '@solana/web3.js';
import * as buybackRounds from '../../db/buyback/buyback-rounds.ts';
import * as tokens from '../../db/tokens.ts';
import type { TokenRecord } from '../../db/tokens.ts';
import {
  BOOKED,
  BUYBACK_KINDS,
  buybackBurnPurpose,
  buybackId,
  type BuybackKind,
  buybackSwapPurpose,
} from '../../domain/buyback/buyback.ts';
import type { Purpose } from '../../domain/purpose.ts';
import { explain, purposeAmong, unexplained, type UnexplainedMovement } from '../money/strays.ts';
import type { BuybackDeps } from './deps.ts';

/** Purchases searched before and after a token's last known one. */
const MOST_PURCHASES = 1_000;

interface Candidate {
  readonly kind: BuybackKind;
  readonly number: number;
  readonly isSwap: boolean;
}

/**
 * Books purchases that the database lost, also of tokens that left the ranking: the budgets lack their cost. Returns
 * the number of unexplained treasury movements; while there are any, nothing is planned.
 */
export async function bookLostPurchases(deps: BuybackDeps): Promise<number> {
  let left = 0;
  for await (const movement of unexplained(deps)) {
    const token = await tokenOf(deps, movement);
    if (token && !(await bookOne(deps, token, movement))) left++;
  }
  return left;
}

/** Returns the launched token that the treasury gained or lost. */
async function tokenOf({ db, signers }: BuybackDeps, { landed }: UnexplainedMovement): Promise<TokenRecord | null> {
  const treasury = signers.treasury.publicKey.toBase58();
  for (const { mint, owner } of landed.tokenChanges) {
    const token = owner === treasury ? await tokens.byMint(db, mint) : null;
    if (token) return token;
  }
  return null;
}

/** False if the movement is unknown, or another purchase must end first. */
async function bookOne(deps: BuybackDeps, token: TokenRecord, movement: UnexplainedMovement): Promise<boolean> {
  const candidates = new Map<Purpose, Candidate>(await candidatesOf(deps, token.mint));
  const purpose = await purposeAmong(deps, movement, candidates.keys());
  const candidate = purpose && candidates.get(purpose);
  if (purpose === undefined || !candidate) return false;
  const { kind, number, isSwap } = candidate;
  const known = await buybackRounds.byId(deps.db, buybackId(kind, token.mint, number));
  if (known && BOOKED[known.state][isSwap ? 'swap' : 'burn']) {
    await explain(deps, movement, purpose);
    return true;
  }
  // Ending its purchase explains a burn, running a planned one its swap.
  if (known || !isSwap) return false;
  const { landed } = movement;
  const treasury = deps.signers.treasury.publicKey;
  const swap = {
    spentRaw: -changeOf(movement, token.quoteMint, treasury),
    boughtRaw: changeOf(movement, token.mint, treasury),
    signature: landed.signature,
    slot: BigInt(landed.slot),
  };
  const { mint, quoteMint } = token;
  const isNew = await buybackRounds.adopt(deps.db, { kind, mint, number, quoteMint }, swap);
  if (!isNew) return false;
  await explain(deps, movement, purpose);
  deps.logger.warn(
    { buyback: buybackId(kind, mint, number), signature: landed.signature },
    'found a forgotten purchase',
  );
  return true;
}

function changeOf({ landed }: UnexplainedMovement, mint: string, owner: PublicKey): bigint {
  const own = landed.tokenChanges.filter((change) => change.mint === mint && change.owner === owner.toBase58());
  return own.reduce((sum, { change }) => sum + change, 0n);
}

async function candidatesOf({ db }: BuybackDeps, mint: string): Promise<[Purpose, Candidate][]> {
  const found: [Purpose, Candidate][] = [];
  for (const kind of BUYBACK_KINDS) {
    const last = await buybackRounds.lastNumber(db, kind, mint);
    for (let number = Math.max(1, last - MOST_PURCHASES); number <= last + MOST_PURCHASES; number++) {
      const id = buybackId(kind, mint, number);
      found.push([buybackSwapPurpose(id), { kind, number, isSwap: true }]);
      found.push([buybackBurnPurpose(id, 1), { kind, number, isSwap: false }]);
    }
  }
  return found;
}
