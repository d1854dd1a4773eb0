import { type AirdropSettings, createAirdropActivities } from '../activities/airdrop/activities.ts';
import { type ClaimDeps, createClaimActivities } from '../activities/claim/activities.ts';
import { createClaimNonceActivities } from '../activities/claim/nonce.ts';
import { createWebhookActivities } from '../activities/events/webhooks.ts';
import { createLaunchActivities } from '../activities/launch/activities.ts';
import { createMarketActivities } from '../activities/market/activities.ts';
import { createMarketCheckActivities } from '../activities/market/check.ts';
import { createRemedyActivities } from '../activities/money/remedies/activities.ts';
import { createAirdropMeters } from './airdrop/meters.ts';
import { webhookDepsOf } from './events/deps.ts';
import { createEventMeters } from './events/meters.ts';
import { createLaunchMeters } from './launch/meters.ts';
import { marketDepsOf } from './market/deps.ts';
import { reconcileDepsOf } from './money/deps.ts';
import { remediesOf } from './money/remedies.ts';
import { createWalletMeters } from './money/wallet-meters.ts';
import type { WorkRow } from './row.ts';
import type { Shared } from './shared.ts';

export const ON_DEMAND: readonly WorkRow[] = [
  { activities: createLaunchActivities, meters: createLaunchMeters },
  {
    activities: (shared) => createAirdropActivities({ ...shared, airdrop: airdropSettings(shared) }),
    meters: createAirdropMeters,
  },
  { activities: (shared) => createClaimActivities(claimDepsOf(shared)) },
  { activities: (shared) => createClaimNonceActivities(claimDepsOf(shared)) },
  {
    activities: (shared) => createMarketActivities(marketDepsOf(shared)),
    meters: ({ marketMeters }) => marketMeters.metrics,
  },
  { activities: (shared) => createMarketCheckActivities(marketDepsOf(shared)) },
  { activities: (shared) => createWebhookActivities(webhookDepsOf(shared)), meters: createEventMeters },
  {
    activities: (shared) => createRemedyActivities(reconcileDepsOf(shared), remediesOf(shared)),
    meters: createWalletMeters,
  },
];

function airdropSettings({ config }: Shared): AirdropSettings {
  return { batchesAtOnce: config.airdropBatches };
}

function claimDepsOf(shared: Shared): ClaimDeps {
  const { config, settings, signers } = shared;
  return { ...shared, platform: signers.platform, settings: { ...settings, killAfterMs: config.claim.relayMs } };
}
