import Type, { type Static } from 'typebox';
import { buybackConfig, type BuybackConfig } from './buyback.ts';
import { claimConfig, type ClaimConfig } from './claim.ts';
import { feeSweepConfig, type FeeSweepConfig, feeSweepProblems } from './fee-sweep.ts';
import { marketConfig, type MarketConfig } from './market.ts';
import { moneyConfig, type MoneyConfig } from './money.ts';
import type { ChainRules } from './chain-rules.ts';
import { readVariables, refuseProblems, type Variables } from './environment.ts';
import { guessableKeys, sharedProductionProblems, standInProblems } from './production.ts';
import { launchConfig, type LaunchConfig } from './launch.ts';
import { readLaunchSeeds } from './launch-seeds.ts';
import { isPrivate } from './transport.ts';
import { restockConfig, type RestockConfig } from './restock.ts';
import { rewardConfig, type RewardConfig } from './reward.ts';
import type { NamedKey } from './secrets.ts';
import { sharedConfig, type SharedConfig, sharedProblems } from './shared.ts';
import { signerProblems, signerProductionProblems, type SignerSources, signerSources } from './signers.ts';
import { tradingConfig, type TradingConfig } from './trading.ts';
import { sharedVariables, workerVariables } from './variables.ts';
import { type WorkerVersion, workerVersion, workerVersionProblems } from './worker-version.ts';

/** Environment variables of the worker process. */
export const WorkerVariablesSchema = Type.Object({ ...sharedVariables, ...workerVariables });

type WorkerValues = Static<typeof WorkerVariablesSchema>;

/** Configuration of the worker process, the only one with keys that move money. */
export interface WorkerConfig extends SharedConfig {
  readonly port: number;
  readonly blockEngineUrl: string;
  /** What this configuration must not be used on; known before the chain is. */
  readonly chainRules: ChainRules;
  /** Transactions of one airdrop that are under way at once. */
  readonly airdropBatches: number;
  readonly launch: LaunchConfig;
  readonly claim: ClaimConfig;
  readonly market: MarketConfig;
  readonly money: MoneyConfig;
  /** Share of the graduation cap from which a token is about to graduate, bps. */
  readonly aboutToGraduateBps: number;
  /** Newest first; new launches derive from the first. */
  readonly launchSeeds: readonly NamedKey[];
  /** Where the platform's own keys lie. */
  readonly signers: SignerSources;
  readonly restock: RestockConfig;
  readonly feeSweep: FeeSweepConfig;
  readonly buyback: BuybackConfig;
  readonly reward: RewardConfig;
  readonly trading: TradingConfig;
  /** Which release this is, to Temporal; null where releases are not told apart. */
  readonly version: WorkerVersion | null;
}

/** Reads the worker's configuration. Throws a ConfigError that names every variable that is missing, malformed or refused. */
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
    chainRules: { onMainnet, onPublicClusters: standInProblems(values) },
    airdropBatches: values.AIRDROP_BATCHES,
    launch: launchConfig(values),
    claim: claimConfig(values),
    market: marketConfig(values),
    money: moneyConfig(values),
    aboutToGraduateBps: values.ABOUT_TO_GRADUATE_BPS,
    launchSeeds,
    signers: signerSources(values),
    restock: restockConfig(values),
    feeSweep: feeSweepConfig(values),
    buyback: buybackConfig(values),
    reward: rewardConfig(values),
    trading: tradingConfig(values),
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
  ];
}

/** On its way a stream in plain text shows its token, and could be written by anybody. */
function streamProblems({ YELLOWSTONE_URL: url }: WorkerValues): string[] {
  if (url === undefined || !url.startsWith('http://') || isPrivate(url)) return [];
  return ['YELLOWSTONE_URL is not this machine and is reached without TLS, which is refused in production'];
}

/** A bundle in plain text shows a launch to whoever is on the way before it lands. */
function blockEngineProblems({ BLOCK_ENGINE_URL: url }: WorkerValues): string[] {
  if (!url.startsWith('http://') || isPrivate(url)) return [];
  return ['BLOCK_ENGINE_URL is not this machine and is reached without TLS, which is refused in production'];
}
