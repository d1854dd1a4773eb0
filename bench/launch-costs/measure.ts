import { type LaunchCost, landVariant } from './land.ts';
import { type FixtureExchange, openFixture } from './launch-inputs.ts';
import { LAUNCH_VARIANTS, type LaunchVariant } from './variants.ts';

export type TableName = 'stand-in' | 'metadata-program' | 'raydium';

export interface CostRun {
  readonly table: TableName;
  readonly costs: readonly LaunchCost[];
}

export interface MeasureOptions {
  readonly programsDir?: string | undefined;
  readonly exchange?: FixtureExchange | undefined;
}

/**
 * One launch of every kind on a fresh chain. Reward launches do not use the metadata program; Raydium needs both
 * programs.
 */
export async function measureCosts({ programsDir, exchange = 'local' }: MeasureOptions = {}): Promise<CostRun> {
  const ground = await openFixture(programsDir, exchange);
  try {
    const { hasMetadata, hasPools } = ground;
    if (exchange === 'raydium' && !(hasMetadata && hasPools)) {
      throw new Error(`${programsDir ?? 'no folder'} holds not both raydium_clmm.so and mpl_token_metadata.so`);
    }
    const isNew = (variant: LaunchVariant) => exchange === 'raydium' || !hasMetadata || variant.fee.mode === 'standard';
    const costs: LaunchCost[] = [];
    for (const variant of LAUNCH_VARIANTS.filter(isNew)) costs.push(await landVariant(ground, variant));
    return { table: exchange === 'raydium' ? 'raydium' : hasMetadata ? 'metadata-program' : 'stand-in', costs };
  } finally {
    await ground.close();
  }
}
