import { signPurposed } from '../../chain/transactions/purposed.ts';
import { sealWork } from '../../chain/transactions/seal.ts';
import { PublicKey } from '@solana/web3.js';
import * as laneSteps from '../../db/money/lane-steps.ts';
import * as sealedLogs from '../../db/proof/sealed-logs.ts';
import type { SealedLog } from '../../db/proof/sealed-logs.ts';
import { logPurpose } from '../../domain/purpose.ts';
import { whileAlive } from '../money/heartbeat-while.ts';
import { moveOnce } from '../money/move-once.ts';
import { rootIn, sealedRootOf } from '../money/sealed-root.ts';
import { explain, purposeAmong, readUnexplained } from '../money/unrecorded.ts';
import type { SealedLogDeps } from './deps.ts';
import { dueLog, receiptKeyOf } from './write-log.ts';

export type SealedLogActivities = ReturnType<typeof createSealedLogActivities>;

export function createSealedLogActivities(deps: SealedLogDeps) {
  return {
    /** Returns the number of the log that was sealed; null if there was nothing new. Idempotent. */
    sealDueLog: (): Promise<number | null> => whileAlive(deps, sealDueLog(deps)),
  };
}

async function sealDueLog(deps: SealedLogDeps): Promise<number | null> {
  await bookLost(deps);
  for (;;) {
    const log = await dueLog(deps);
    if (log === null) return null;
    if (await seal(deps, log)) return log.number;
  }
}

/** False if the chain holds the seal of another document for this number: its log was lost with a database. */
async function seal(deps: SealedLogDeps, { number, root }: SealedLog): Promise<boolean> {
  const { db, logger, settings } = deps;
  const { platform } = deps.signers;
  const { computeUnitPrice } = settings;
  // Of the document: the worker's key may have changed since it was written.
  const about = new PublicKey(await receiptKeyOf(db, root));
  const moved = await moveOnce(deps, {
    purpose: logPurpose(number),
    payer: platform.publicKey,
    assertDue: (tx) => sealedLogs.lockDue(tx, number),
    build: (stamp) => {
      const frame = { stamp, payer: platform, wallet: platform, computeUnitPrice };
      return signPurposed(frame, sealWork(platform.publicKey, { root: Buffer.from(root, 'hex'), about }));
    },
  });
  if (moved === null) throw new Error(`the seal of log ${number} moved nothing`);
  const { signature, slot } = moved;
  const sealed = await sealedRootOf(deps, moved);
  if (sealed === null) throw new Error(`the seal ${signature} of log ${number} names no root`);
  const isOwn = await sealedLogs.settle(db, number, { root: sealed, signature, slot });
  if (isOwn) logger.info({ number, root, signature }, 'log sealed');
  else
    logger.error({ number, root, sealed, signature }, 'another document of a log is sealed: the next one follows it');
  return isOwn;
}

/** Logs behind the newest that a restored database is searched for: an hour each. */
const MOST_LOST = 2_000;

/** Records seals that the chain has and a restored database lost, so that their numbers are not written again. */
async function bookLost(deps: SealedLogDeps): Promise<void> {
  for (const step of await laneSteps.unnamed(deps.db)) {
    const last = (await sealedLogs.newest(deps.db))?.number ?? 0;
    const numbers = Array.from({ length: MOST_LOST }, (_, index) => last + index);
    const byPurpose = new Map(numbers.map((number) => [logPurpose(number), number]));
    const purpose = await purposeAmong(deps, { step }, byPurpose.keys());
    const number = purpose && byPurpose.get(purpose);
    if (purpose === undefined || number === undefined) continue;
    const movement = await readUnexplained(deps, step);
    const { wire, signature, slot } = movement.landed;
    const root = rootIn(wire);
    if (root === null) throw new Error(`the seal ${signature} of log ${number} names no root`);
    const isOwn = await sealedLogs.settle(deps.db, number, { root, signature, slot: BigInt(slot) });
    await explain(deps, movement, purpose);
    deps.logger.warn({ number, root, signature, isOwn }, 'found the seal of a log on the chain that the books lacked');
  }
}
