import { Connection } from '@solana/web3.js';
import { sql } from 'kysely';
import * as switches from '../../../db/platform/switches.ts';
import { isSettled } from '../../../domain/launch/machine.ts';
import { LAUNCH_STATES } from '../../../domain/launch/state.ts';
import { LAUNCH_JANITOR_ROUND } from '../../../workflows/launch/messages.ts';
import { runRound } from '../../support/platform/run-round.ts';
import { type Platform, startPlatform } from '../../support/platform/platform.ts';
import { SLOTS_TO_FINALIZE } from '../../../dev/localnet/ledger/ledger.ts';
import type { JudgedChain } from './chain-verdict.ts';

/** The RPC endpoints of API and worker. Judge, creators and block engine use another one, which no fault touches. */
export const ENDPOINTS = ['a', 'b', 'c'] as const;

/** ms per slot while launches run: a blockhash lives 12 s, so that a busy machine can launch too; finality takes 2.5 s. */
export const SLOT_MS = 80;

/** ms per slot while launches are brought to where a fault shall meet them: as on the real chain, a blockhash lives a minute. */
export const CALM_SLOT_MS = 400;

/** A platform to break. */
export interface Arena {
  readonly platform: Platform;
  readonly chain: JudgedChain;
  /** Takes every fault back that is not a process: chain, endpoints, block engine. */
  heal(): void;
  /** Lets the janitor see every open launch as one that nothing has touched for a while, and waits until it went round. */
  runJanitor(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a platform with three RPC endpoints on which every kind of launch is open. */
export async function startArena(): Promise<Arena> {
  const platform = await startPlatform({
    slotMs: SLOT_MS,
    slotsToFinalize: SLOTS_TO_FINALIZE,
    endpoints: ENDPOINTS,
    variables: { SUBMIT_WAIT_SECONDS: '3' },
  });
  await switches.set(platform.db, 'rewardLaunches', 'open', { actor: 'test', note: 'for chaos' });
  return {
    platform,
    chain: { connection: new Connection(platform.chain.rpcUrl, 'confirmed'), exchange: platform.exchange },
    heal() {
      platform.engine.setFault({ fault: 'none' });
      platform.chain.control.clear();
      platform.chain.control.setSlotMs(SLOT_MS);
    },
    async runJanitor() {
      await makeOld(platform);
      await runRound(platform, LAUNCH_JANITOR_ROUND);
    },
    close: () => platform.close(),
  };
}

async function makeOld({ db }: Platform): Promise<void> {
  const open = LAUNCH_STATES.filter((state) => !isSettled(state));
  await sql`update launches set updated_at = now() - interval '1 minute' where state in (${sql.join(open)})`.execute(
    db,
  );
}
