import type { Db } from '../../../db/connect.ts';
import type { FeeMode } from '../../../domain/fee-models.ts';
import type { LaunchUnderTest } from '../exchange/launched-pool.ts';

/** Records the token of a launched pool as a launch's last step does. */
export async function recordToken(
  db: Db,
  { request, pool, parties }: LaunchUnderTest,
  fee: FeeMode,
  created: { readonly createdAt: Date; readonly createdSlot: bigint },
): Promise<void> {
  await db
    .insertInto('tokens')
    .values({
      mint: request.base.mint.toBase58(),
      name: 'Harbour Light',
      symbol: 'HARBOR',
      decimals: request.base.decimals,
      logoUrl: 'https://store.example/logo.png',
      metadataUri: 'https://store.example/m.json',
      url: 'https://site.example/tokens/harbour',
      pool: pool.toBase58(),
      quoteMint: request.quote.mint.toBase58(),
      quoteSymbol: 'USDX',
      creator: parties.creator.publicKey.toBase58(),
      mode: fee.mode,
      feeTier: fee.mode === 'standard' ? fee.feeTier : null,
      rewardTaxBps: fee.mode === 'reward' ? fee.rewardTaxBps : null,
      poolFeePercent: fee.mode === 'standard' && fee.feeTier === '2%' ? 2 : 1,
      links: JSON.stringify({ website: 'https://harbour.example' }),
      quoteId: null,
      ...created,
      withdrawnAt: null,
      symbolSkeleton: '',
      nameSkeleton: '',
    })
    .execute();
}
