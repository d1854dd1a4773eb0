import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { SLOTS_PER_EPOCH } from '../engine/engine.ts';
import { API_VERSION, checkedCommitment, type RpcMethods, withContext } from './context.ts';
import { config, ContextConfig, param } from './params.ts';
import { RPC_ERRORS, RpcError } from './rpc-error.ts';

const Text = Compile(Type.String());
const DataLength = Compile(Type.Integer({ minimum: 0, maximum: 10 * 1024 * 1024 }));
const IDENTITY = 'Loca1netVa1idator11111111111111111111111111';
const VOTE_ACCOUNT = 'Loca1netVote1111111111111111111111111111111';

export const clusterMethods: RpcMethods = {
  getHealth: (_params, { view }) => {
    const behind = view.ledger.slot - view.tip;
    if (behind <= 0) return 'ok';
    throw new RpcError(RPC_ERRORS.nodeUnhealthy, `Node is behind by ${behind} slots`, { numSlotsBehind: behind });
  },
  getVersion: () => ({ 'solana-core': API_VERSION, 'feature-set': 3_640_012_085 }),
  getGenesisHash: (_params, { genesisHash }) => genesisHash,
  getIdentity: () => ({ identity: IDENTITY }),

  getSlot: (params, { view }) => view.slotAt(checkedCommitment(view, config(params, 0, ContextConfig))),
  getBlockHeight: (params, { view }) => view.heightAt(checkedCommitment(view, config(params, 0, ContextConfig))),
  getSlotLeader: () => IDENTITY,
  getSlotLeaders: (params) => Array.from({ length: param(params, 1, DataLength) }, () => IDENTITY),
  getTransactionCount: (params, { view }) => {
    const slot = view.slotAt(checkedCommitment(view, config(params, 0, ContextConfig)));
    return view.ledger.transactionCount(slot);
  },

  getEpochInfo: (params, { view }) => {
    const commitment = checkedCommitment(view, config(params, 0, ContextConfig));
    const absoluteSlot = view.slotAt(commitment);
    return {
      absoluteSlot,
      blockHeight: view.heightAt(commitment),
      epoch: Math.floor(absoluteSlot / SLOTS_PER_EPOCH),
      slotIndex: absoluteSlot % SLOTS_PER_EPOCH,
      slotsInEpoch: SLOTS_PER_EPOCH,
      transactionCount: view.ledger.transactionCount(absoluteSlot),
    };
  },
  getEpochSchedule: () => ({
    firstNormalEpoch: 0,
    firstNormalSlot: 0,
    leaderScheduleSlotOffset: SLOTS_PER_EPOCH,
    slotsPerEpoch: SLOTS_PER_EPOCH,
    warmup: false,
  }),

  getLatestBlockhash: (params, { view }) => {
    const commitment = checkedCommitment(view, config(params, 0, ContextConfig));
    const { blockhash, lastValidBlockHeight } = view.latestBlockhash(commitment);
    return withContext(view, commitment, { blockhash, lastValidBlockHeight });
  },
  isBlockhashValid: (params, { view }) => {
    const commitment = checkedCommitment(view, config(params, 1, ContextConfig));
    return withContext(view, commitment, view.isBlockhashValid(param(params, 0, Text), commitment));
  },

  getRecentPerformanceSamples: (_params, { view, control }) => {
    const numSlots = control.slotMs > 0 ? Math.round(60_000 / control.slotMs) : 0;
    return [{ slot: view.slotAt('confirmed'), numSlots, numTransactions: 0, samplePeriodSecs: 60 }];
  },

  getMinimumBalanceForRentExemption: (params, { view }) =>
    view.ledger.engine.minimumBalance(param(params, 0, DataLength)),

  getClusterNodes: () => [
    { pubkey: IDENTITY, gossip: null, tpu: null, rpc: null, version: API_VERSION, featureSet: null },
  ],
  getVoteAccounts: () => ({
    current: [
      {
        votePubkey: VOTE_ACCOUNT,
        nodePubkey: IDENTITY,
        activatedStake: 1_000_000_000,
        commission: 0,
        epochVoteAccount: true,
        epochCredits: [],
        lastVote: 0,
        rootSlot: 0,
      },
    ],
    delinquent: [],
  }),
  getInflationReward: (params) => (Array.isArray(params[0]) ? params[0].map(() => null) : []),
  getHighestSnapshotSlot: (_params, { view }) => ({ full: view.slotAt('finalized'), incremental: null }),
};
