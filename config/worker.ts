import Type, { type Static } from 'typebox';
import { buybackConfig, type BuybackConfig } from './buyback.ts';
import { claimConfig, type ClaimConfig } from './claim.ts';
import { proofConfig, type ProofConfig } from './proof.ts';
import { feeSweepConfig, type FeeSweepConfig, feeSweepProblems } from './fee-sweep.ts';
import { eventsConfig, type EventsConfig, eventsProductionProblems } from './events.ts';
import { marketConfig, type MarketConfig } from './market.ts';
import type { ChainRules } from './chain-rules.ts';
import { readVariables, refuseProblems, type Variables } from './environment.ts';
import { guessableKeys, sharedProductionProblems } from './production.ts';
import { launchConfig, type LaunchConfig } from './launch.ts';
import { readLaunchSeeds } from './launch-seeds.ts';
import { isPrivate } from './transport.ts';
import { restockConfig, type RestockConfig } from './restock.ts';
import { rewardConfig, type RewardConfig } from './reward.ts';
import type { NamedKey } from './secrets.ts';
import { sharedConfig, type SharedConfig, sharedProblems } from './shared.ts';
import { signerProblems, signerProductionProblems, type SignerSources, signerSources } from './signers.ts';
import { moneyConfig, type MoneyConfig } from './money.ts';
import { TRADING, type TradingConfig } from './trading.ts';
import { sharedVariables, workerVariables } from './variables.ts';
import { type WorkerVersion, workerVersion, workerVersionProblems } from './worker-version.ts';

export const WorkerVariablesSchema = Type.Object({ ...sharedVariables, ...workerVariables });

type WorkerValues = Static<typeof WorkerVariablesSchema>;

interface RoundsConfig {
  readonly restock: RestockConfig;
  readonly feeSweep: FeeSweepConfig;
  readonly proof: ProofConfig;
  readonly buyback: BuybackConfig;
  readonly reward: RewardConfig;
  readonly trading: TradingConfig;
}

export interface WorkerConfig extends SharedConfig, RoundsConfig {
  readonly port: number;
  readonly blockEngineUrl: string;
  readonly chainRules: ChainRules;
  readonly airdropBatches: number;
  readonly launch: LaunchConfig;
  readonly claim: ClaimConfig;
  readonly market: MarketConfig;
  readonly money: MoneyConfig;
  readonly events: EventsConfig;
  /** Newest first; new launches use the first. */
  readonly launchSeeds: readonly NamedKey[];
  readonly signers: SignerSources;
  /** Null without worker versioning. */
  readonly version: WorkerVersion | null;
}

/** @throws ConfigError with every missing, malformed or refused variable */
export function readWorkerConfig(variables: Variables): WorkerConfig {
  const values = readVariables(WorkerVariablesSchema, variables);
  const launchSeeds = readLaunchSeeds(values);
  const onMainnet = productionProblems(values, launchSeeds);
  refuseProblems([
    ...sharedProblems(values),
    ...signerProblems(values),
    ...feeSweepProblems(values),
    ...workerVersionProblems(values),
    ...(values.ENVIRONMENT === 'production' ? onMainnet : []),
  ]);
  return {
    ...sharedConfig(values),
    port: values.WORKER_PORT,
    blockEngineUrl: values.BLOCK_ENGINE_URL,
    chainRules: { onMainnet, onPublicClusters: [] },
    airdropBatches: values.AIRDROP_BATCHES,
    launch: launchConfig(values),
    claim: claimConfig(values),
    market: marketConfig(values),
    money: moneyConfig(values),
    events: eventsConfig(values),
    launchSeeds,
    signers: signerSources(values),
    restock: restockConfig(values),
    feeSweep: feeSweepConfig(values),
    proof: proofConfig(values),
    buyback: buybackConfig(values),
    reward: rewardConfig(values),
    trading: TRADING,
    version: workerVersion(values),
  };
}

function productionProblems(values: WorkerValues, launchSeeds: readonly NamedKey[]): string[] {
  return [
    ...sharedProductionProblems(values),
    ...signerProductionProblems(values),
    ...guessableKeys('LAUNCH_SEEDS', launchSeeds),
    ...blockEngineProblems(values),
    ...streamProblems(values),
    ...eventsProductionProblems(values),
  ];
}

/** Refuses plain text, which exposes the token and can be forged. */
function streamProblems({ YELLOWSTONE_URL: url }: WorkerValues): string[] {
  if (url === undefined || !url.startsWith('http://') || isPrivate(url)) return [];
  return ['YELLOWSTONE_URL is not this machine and is reached without TLS, which is refused in production'];
}

/** Refuses plain text, which exposes a launch before it lands. */
function blockEngineProblems({ BLOCK_ENGINE_URL: url }: WorkerValues): string[] {
  if (!url.startsWith('http://') || isPrivate(url)) return [];
  return ['BLOCK_ENGINE_URL is not this machine and is reached without TLS, which is refused in production'];
}
