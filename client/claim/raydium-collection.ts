import { sameBytes } from '../solana/bytes.ts';
import { RAYDIUM_CLMM_PROGRAM } from '../solana/programs.ts';
import { mustHold } from '../solana/refusal.ts';
import type { CollectionCheck } from './claim-ground.ts';

/** First bytes of `collect_clmm_fees_and_rewards`: of sha256("global:" and its name), as Anchor makes them. */
const COLLECT = Uint8Array.of(16, 72, 250, 198, 14, 162, 212, 19);

/** Places of accounts in that instruction, which has them in this order. */
const PLACE = { holder: 1, clmmProgram: 4, pool: 7, recipients: [13, 14], mints: [18, 19] } as const;

/** Raydium's lock program pays a position's fees to two accounts: both must be the wallet's. It moves nothing else of the signer. */
export const checkRaydiumCollection: CollectionCheck = (collecting, { accounts, fees, quote, wallet }) => {
  const [collect, ...more] = collecting;
  mustHold(collect !== undefined && more.length === 0, `it collects ${collecting.length} times`);
  mustHold(sameBytes(collect.data, COLLECT), 'it asks the lock program for something else than to collect fees');
  const at = (place: number) => collect.accounts[place]?.address;
  mustHold(at(PLACE.holder) === wallet, `it collects the fees of ${at(PLACE.holder)}`);
  mustHold(at(PLACE.clmmProgram) === RAYDIUM_CLMM_PROGRAM, `it collects through ${at(PLACE.clmmProgram)}`);
  mustHold(at(PLACE.pool) === fees.pool, `it collects from the pool ${at(PLACE.pool)}`);
  const own = new Map([
    [quote.amounts.base.mint, accounts.base],
    [quote.amounts.quote.mint, accounts.quote],
  ]);
  PLACE.recipients.forEach((place, index) => {
    const account = own.get(at(PLACE.mints[index] ?? -1) ?? '');
    mustHold(account !== undefined && at(place) === account, `it pays into ${at(place)}, which is not the wallet’s`);
  });
  return [];
};
