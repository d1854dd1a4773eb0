import { setTimeout as sleep } from 'node:timers/promises';
import { getAssociatedTokenAddressSync } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { sql } from 'kysely';
import { SEED_PAIRS } from '../../../../dev/seed/local-pairs.ts';
import type { RealStack } from '../../chaos/processes/real-stack.ts';
import { ODD_PAIRS } from '../odd-pairs.ts';
import { AWAY_MS, type Fault, type Ground } from './fault.ts';

/** What the issuer of a quote token can do to accounts that the platform needs. */
export const FREEZES = {
  'accounts of the treasury are frozen': { act: (ground) => freezeAll(ground, treasuryAccounts) },
  'pots are frozen': { act: (ground) => freezeAll(ground, pots) },
  'vaults of pools are frozen': { act: (ground) => freezeAll(ground, vaults) },
} as const satisfies Record<string, Fault>;

/** Accounts frozen at once, at most. */
const MOST = 20;

/** Throws where there is none yet, so that the fault is not counted. */
async function freezeAll({ stack }: Ground, find: (stack: RealStack) => Promise<string[]>): Promise<void> {
  const frozen: string[] = [];
  for (const address of (await find(stack)).slice(0, MOST)) {
    if ((await stack.connection.getAccountInfo(new PublicKey(address), 'confirmed')) === null) continue;
    await stack.control('setFrozen', { address, isFrozen: true });
    frozen.push(address);
  }
  if (frozen.length === 0) throw new Error('there is no account to freeze yet');
  await sleep(AWAY_MS);
  for (const address of frozen) await stack.control('setFrozen', { address, isFrozen: false });
}

function treasuryAccounts({ stack }: RealStack): Promise<string[]> {
  const treasury = new PublicKey(stack.treasury);
  const accounts = [...SEED_PAIRS, ...ODD_PAIRS].map(({ mint, tokenProgram }) =>
    getAssociatedTokenAddressSync(mint, treasury, true, tokenProgram).toBase58(),
  );
  return Promise.resolve(accounts);
}

async function pots({ db }: RealStack): Promise<string[]> {
  const { rows } = await sql<{ pot: string; mint: string; tokenProgram: string }>`
    select pot, pairs.mint, token_program from reward_tokens join tokens using (mint)
    join pairs on pairs.mint = tokens.quote_mint order by tokens.created_at desc`.execute(db);
  return rows.map(({ pot, mint, tokenProgram }) =>
    getAssociatedTokenAddressSync(
      new PublicKey(mint),
      new PublicKey(pot),
      true,
      new PublicKey(tokenProgram),
    ).toBase58(),
  );
}

async function vaults({ db }: RealStack): Promise<string[]> {
  const rows = await db
    .selectFrom('poolCursors')
    .select('quoteVault')
    .orderBy('updatedAt', 'desc')
    .limit(MOST)
    .execute();
  return rows.flatMap(({ quoteVault }) => quoteVault ?? []);
}
