import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import { connect } from '../../../db/connect.ts';
import { standInExchangeOn } from '../exchange/stand-in.ts';
import type { MarketFixture } from './market-platform.ts';
import { indexBy, type MarketSource } from './sources.ts';

/**
 * Runs an index and kills it `afterMs` later, wherever it is: its requests to the chain break, and PostgreSQL ends its
 * connections in the middle of whatever they do, as it would those of a process that is gone. Answers how many looks it had
 * finished.
 */
export async function runDoomedIndex(
  ground: MarketFixture,
  afterMs: number,
  source: MarketSource = 'looks at pools',
): Promise<number> {
  const name = `doomed-${Math.random().toString(36).slice(2)}`;
  const end = new AbortController();
  const db = connect(ground.databaseUrl, { applicationName: name, onIdleError: () => undefined });
  const rpc = createRpc({
    endpoints: [ground.localnet.rpcUrl],
    fetch: (input, init) => {
      const signals = [end.signal, ...(init?.signal ? [init.signal] : [])];
      return fetch(input, { ...init, signal: AbortSignal.any(signals) });
    },
  });
  const exchange = standInExchangeOn(ground.localnet, { connection: rpc.connection });
  const index = indexBy(ground, source, { db, rpc, exchange });
  let looks = 0;
  const running = (async () => {
    while (!end.signal.aborted) {
      await index.lookAtMarket();
      looks++;
      await sleep(20);
    }
  })().catch((error: unknown) => error);
  await sleep(afterMs);
  end.abort();
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${name}`.execute(ground.db);
  // What it follows by itself ends as it was killed, and with it what waits for it.
  await index.stop().catch(() => undefined);
  await running;
  await db.destroy();
  return looks;
}
