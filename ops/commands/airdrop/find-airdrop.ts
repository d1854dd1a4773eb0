import * as airdrops from '../../../db/airdrop/airdrops.ts';
import type { Airdrop } from '../../../db/airdrop/airdrops.ts';
import type { Db } from '../../../db/connect.ts';
import { isUuid } from '../../../domain/uuid.ts';
import { OpsError } from '../../io.ts';

/** Finds an airdrop by quote id or mint. Throws an OpsError. */
export async function findAirdrop(db: Db, id: string): Promise<Airdrop> {
  const airdrop = isUuid(id) ? await airdrops.byQuoteId(db, id) : await airdrops.byMint(db, id);
  if (!airdrop)
    throw new OpsError(`there is no airdrop of ${id}: name the quote id or the mint of a launch that has one`);
  return airdrop;
}
