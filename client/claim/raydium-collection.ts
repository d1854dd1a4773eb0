import { sameBytes } from '../solana/bytes.ts';
import {
  MEMO_PROGRAM,
  RAYDIUM_CLMM_PROGRAM,
  RAYDIUM_LOCK_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../solana/programs.ts';
import { mustHold } from '../solana/refusal.ts';
import type { Collection, CollectionCheck } from './claim-context.ts';

/** sha256("global:collect_clmm_fees_and_rewards"). */
const COLLECT = Uint8Array.of(16, 72, 250, 198, 14, 162, 212, 19);

/** Places of accounts in that instruction. */
const PLACE = {
  holder: 1,
  clmmProgram: 4,
  pool: 7,
  recipients: [13, 14],
  programs: [15, 16, 17],
  mints: [18, 19],
} as const;

/** Required at those indexes. */
const PROGRAMS = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM, MEMO_PROGRAM].join();

/** Further accounts would receive the pool's farming rewards. */
const ACCOUNTS = 20;

/** Requires that both paid accounts are the wallet's. The instruction moves nothing else of the signer. */
export const checkRaydiumCollection: CollectionCheck = (collecting, { accounts, fees, quote, wallet }) => {
  const [collect, ...more] = collecting;
  mustHold(collect !== undefined && more.length === 0, `it collects ${collecting.length} times`);
  mustHold(sameBytes(collect.data, COLLECT), 'it asks the lock program for something else than to collect fees');
  mustHold(
    collect.accounts.length === ACCOUNTS,
    `it names ${collect.accounts.length} accounts to collect with, ${ACCOUNTS} are needed`,
  );
  const at = (place: number) => collect.accounts[place]?.address;
  mustHold(at(PLACE.holder) === wallet, `it collects the fees of ${at(PLACE.holder)}`);
  mustHold(at(PLACE.clmmProgram) === RAYDIUM_CLMM_PROGRAM, `it collects through ${at(PLACE.clmmProgram)}`);
  mustHold(at(PLACE.pool) === fees.pool, `it collects from the pool ${at(PLACE.pool)}`);
  const programs = PLACE.programs.map(at).join();
  mustHold(programs === PROGRAMS, `it names ${programs} in the places of the token programs`);
  const own = new Map([
    [quote.amounts.base.mint, accounts.base],
    [quote.amounts.quote.mint, accounts.quote],
  ]);
  PLACE.recipients.forEach((place, index) => {
    const accounts = own.get(at(PLACE.mints[index] ?? -1) ?? '');
    mustHold(accounts?.includes(at(place) ?? '') === true, `it pays into ${at(place)}, which is not the wallet’s`);
  });
  return [];
};

export const RAYDIUM_COLLECTION: Collection = { programs: [RAYDIUM_LOCK_PROGRAM], check: checkRaydiumCollection };
