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
import { adoptUnrecorded, type UnexplainedMovement } from '../money/unrecorded.ts';
import type { BuybackDeps } from './deps.ts';

/** Purchases searched before and after a token's last known one. */
const MOST_PURCHASES = 1_000;

interface Candidate {
  readonly token: TokenRecord;
  readonly kind: BuybackKind;
  readonly number: number;
  readonly isSwap: boolean;
}

/**
 * Books purchases that the database lost, also of tokens that left the ranking: the budgets lack their cost. Returns
 * the number of unexplained treasury movements; while there are any, nothing is planned.
 */
export async function bookLostPurchases(deps: BuybackDeps): Promise<number> {
  const { left } = await adoptUnrecorded(deps, {
    async candidates(movement) {
      const token = await tokenOf(deps, movement);
      return token && candidatesOf(deps, token);
    },
    book: (movement, candidate) => bookOne(deps, candidate, movement),
  });
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

async function bookOne(
  deps: BuybackDeps,
  { token, kind, number, isSwap }: Candidate,
  movement: UnexplainedMovement,
): Promise<'new' | 'known' | 'waits'> {
  const { mint, quoteMint } = token;
  const id = buybackId(kind, mint, number);
  const known = await buybackRounds.byId(deps.db, id);
  if (known && BOOKED[known.state][isSwap ? 'swap' : 'burn']) return 'known';
  // Ending its purchase explains a burn, running a planned one its swap.
  if (known || !isSwap) return 'waits';
  const { signature, slot } = movement.landed;
  const treasury = deps.signers.treasury.publicKey;
  const swap = {
    spentRaw: -changeOf(movement, quoteMint, treasury),
    boughtRaw: changeOf(movement, mint, treasury),
    signature,
    slot: BigInt(slot),
  };
  if (!(await buybackRounds.adopt(deps.db, { kind, mint, number, quoteMint }, swap))) return 'waits';
  deps.logger.warn({ buyback: id, signature }, 'found a forgotten purchase');
  return 'new';
}

function changeOf({ landed }: UnexplainedMovement, mint: string, owner: PublicKey): bigint {
  const own = landed.tokenChanges.filter((change) => change.mint === mint && change.owner === owner.toBase58());
  return own.reduce((sum, { change }) => sum + change, 0n);
}

async function candidatesOf({ db }: BuybackDeps, token: TokenRecord): Promise<[Purpose, Candidate][]> {
  const { mint } = token;
  const found: [Purpose, Candidate][] = [];
  for (const kind of BUYBACK_KINDS) {
    const last = await buybackRounds.lastNumber(db, kind, mint);
    for (let number = Math.max(1, last - MOST_PURCHASES); number <= last + MOST_PURCHASES; number++) {
      const id = buybackId(kind, mint, number);
      found.push([buybackSwapPurpose(id), { token, kind, number, isSwap: true }]);
      found.push([buybackBurnPurpose(id, 1), { token, kind, number, isSwap: false }]);
    }
  }
  return found;
}
