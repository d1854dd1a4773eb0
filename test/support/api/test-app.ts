import { Client, Connection } from '@temporalio/client';
import { pino } from 'pino';
import { buildApp } from '../../../api/app.ts';
import type { ApiDeps } from '../../../api/deps.ts';
import type { ApiInstance } from '../../../api/instance.ts';
import { composeLaunching } from '../../../api/launch/compose.ts';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import { connect } from '../../../db/connect.ts';
import type { Switches } from '../../../domain/switches.ts';
import { standInOf } from '../exchange/stand-in-of.ts';
import { LOCAL_VARIABLES, testConfig } from './api-config.ts';
import { checkAnswers } from './check-answers.ts';

/** Switches with everything on, as a test's starting point. */
export const ALL_ON: Switches = {
  launching: 'on',
  claiming: 'on',
  devBuys: 'on',
  airdrops: 'on',
  rewardLaunches: 'open',
};

/** The chain that nobody asks in these tests. */
const GENESIS_HASH = '11111111111111111111111111111111';

/** Dependencies of an API without a reachable database; replace what the test is about. */
export function testDeps(replaced: Partial<ApiDeps> = {}): ApiDeps {
  const config = replaced.config ?? testConfig();
  const db = replaced.db ?? connect(config.database.url);
  const client = new Client({ connection: Connection.lazy(config.temporal.connection) });
  const rpc = createRpc({ endpoints: config.solana.rpcUrls });
  const logger = pino({ level: 'silent' });
  const exchange = standInOf(LOCAL_VARIABLES);
  return {
    config,
    logger,
    db,
    reads: db,
    client,
    launching: composeLaunching(config, { db, rpc, client, genesisHash: GENESIS_HASH, logger, exchange }),
    switches: { read: async () => ALL_ON },
    probes: [],
    now: () => new Date(),
    ...replaced,
  };
}

/** The API on these dependencies, for `app.inject`. */
export function testApp(replaced: Partial<ApiDeps> = {}): Promise<ApiInstance> {
  return buildApp(testDeps(replaced), checkAnswers);
}
