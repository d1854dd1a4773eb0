import { type LaunchCost, landVariant } from './land.ts';
import { openGround } from './ground.ts';
import type { TableName } from './document.ts';
import { LAUNCH_VARIANTS } from './variants.ts';

/** What every kind of launch took, and the table it belongs into. */
export interface CostRun {
  readonly table: TableName;
  readonly costs: readonly LaunchCost[];
}

/**
 * Lands one launch of every kind on a local chain of its own. With `programsDir` the real programs in it are deployed, and
 * where the metadata program is among them only standard launches are measured: reward launches do not use it.
 */
export async function measureCosts(programsDir?: string): Promise<CostRun> {
  const ground = await openGround(programsDir);
  try {
    const { hasMetadata } = ground;
    const costs: LaunchCost[] = [];
    for (const variant of LAUNCH_VARIANTS) {
      if (!hasMetadata || variant.fee.mode === 'standard') costs.push(await landVariant(ground, variant));
    }
    return { table: hasMetadata ? 'metadata-program' : 'stand-in', costs };
  } finally {
    await ground.close();
  }
}
