import { type LaunchCost, landVariant } from './land.ts';
import { type GroundExchange, openGround } from './launch-inputs.ts';
import { LAUNCH_VARIANTS, type LaunchVariant } from './variants.ts';

/**
 * Which run a table of docs/launch-costs.md comes from: the local exchange without the metadata program, the same with the real
 * one deployed, or Raydium with both real programs.
 */
export type TableName = 'stand-in' | 'metadata-program' | 'raydium';

/** What every kind of launch took, and the table it belongs into. */
export interface CostRun {
  readonly table: TableName;
  readonly costs: readonly LaunchCost[];
}

/** What is launched on, and with which real programs. */
export interface MeasureOptions {
  /** Folder with program ELFs to deploy. */
  readonly programsDir?: string | undefined;
  readonly exchange?: GroundExchange | undefined;
}

/**
 * Lands one launch of every kind on a local chain of its own. On the local exchange with the metadata program deployed only
 * standard launches are measured: reward launches do not use it. Raydium needs the programs of its pools and of metadata.
 */
export async function measureCosts({ programsDir, exchange = 'local' }: MeasureOptions = {}): Promise<CostRun> {
  const ground = await openGround(programsDir, exchange);
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
