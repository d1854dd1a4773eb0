import { handOverLanes, lanesMintedBy } from '../../../chain/lanes/hand-over.ts';
import { deriveLanes, type Lane, laneAuthority } from '../../../chain/lanes/lane.ts';
import { agreedValue } from '../../../chain/lanes/lane-reading.ts';
import { ForeignLaneError, makeLanes, missingLanes } from '../../../chain/lanes/make-lanes.ts';
import { createRpc, type Rpc } from '../../../chain/rpc/rpc.ts';
import { type Lander, NotLandedError } from '../../../chain/transactions/land.ts';
import type { Db } from '../../../db/connect.ts';
import * as laneChecks from '../../../db/money/lane-checks.ts';
import * as laneSteps from '../../../db/money/lane-steps.ts';
import * as laneRows from '../../../db/money/lanes.ts';
import { claimEnvironment } from '../../../db/platform/environment.ts';
import { OpsError, type OpsIo } from '../../io.ts';
import { openFormerTreasury, openPlatformSigner, openTreasurySigner } from '../../signers.ts';
import { rpcUrl } from '../../service-addresses.ts';

export interface LaneReport {
  readonly lanes: number;
  /** Of their secret; null without lanes. */
  readonly seedId: string | null;
  /** Final, in the database. */
  readonly steps: number;
  /** The chain differs; a worker's start updates the ledger. */
  readonly behind: number;
  readonly undecided: number;
  /** Final, without a purpose. */
  readonly unexplained: number;
  /** Do not follow from their steps. */
  readonly broken: number;
}

export async function readLaneReport(io: OpsIo, db: Db): Promise<LaneReport> {
  const rows = await laneRows.all(db);
  const reading = await rpcOf(io).readLanes(rows.map(({ mint }) => mint));
  const values = rows.map(({ mint, value }) => ({ value, agreed: agreedValue(reading, mint) }));
  return {
    lanes: rows.length,
    seedId: rows[0]?.seedId ?? null,
    steps: rows.reduce((sum, { number }) => sum + number, 0),
    behind: values.filter(({ value, agreed }) => agreed !== null && agreed !== value).length,
    undecided: values.filter(({ agreed }) => agreed === null).length,
    unexplained: (await laneSteps.unnamed(db)).length,
    broken: (await laneChecks.broken(db)).length,
  };
}

export interface LanesMade {
  readonly made: number;
  readonly written: number;
}

export interface MakeLanes {
  readonly seedId: string;
  /** The database is older than the lanes. */
  readonly isRestored: boolean;
  /** The signer of the treasury that lanes were made for by mistake, as TREASURY_SIGNER names one. */
  readonly formerTreasury: string | undefined;
  /** Throws unless the operator has confirmed what is told, as "would make …". */
  readonly confirm: (would: string) => void;
}

const COMPUTE_UNIT_PRICE = 50_000n;
const POLL_MS = 400;

/**
 * Makes missing lanes, and records all, in place of unused ones for another wallet or seed. Throws an OpsError if the
 * chain has lanes that the database lacks, unless `isRestored`: earlier movements may have happened without the ledger.
 */
export async function makeAllLanes(
  io: OpsIo,
  db: Db,
  { seedId, isRestored, formerTreasury, confirm }: MakeLanes,
): Promise<LanesMade> {
  const rpc = rpcOf(io);
  const environment = io.env['ENVIRONMENT'];
  if (!environment) throw new OpsError('set ENVIRONMENT to that of the worker: the lanes belong to it');
  const payer = await openPlatformSigner(io);
  const treasury = await openTreasurySigner(io);
  const wallets = { platform: payer.publicKey, treasury: treasury.publicKey };
  confirm(
    `would make what is missing of the 132 lanes of ${environment}: the platform wallet ${payer.publicKey.toBase58()} pays ` +
      `up to 0.47 SOL of rent, and four of them belong to the treasury ${treasury.publicKey.toBase58()}`,
  );
  await claimEnvironment(db, { environment, genesisHash: await rpc.genesisHash() });
  const lanes = await deriveLanes(wallets, environment);
  const lander = { rpc, payer, computeUnitPrice: COMPUTE_UNIT_PRICE, pollMs: POLL_MS, environment };
  if (formerTreasury !== undefined) await takeOver(io, lander, lanes, formerTreasury);
  if (!isRestored) await assertUnused(rpc, db, lanes);
  io.progress?.(`making ${lanes.length} lanes; if this is cut off, run it again`);
  const made = await explained(() => makeLanes(lander, rpc.connection, lanes));
  const written = await laneRows.write(
    db,
    lanes.map((lane) => rowOf(lane, seedId)),
  );
  return { made, written };
}

/** Only lanes that are the former treasury's are taken over, so a second run finds none. */
async function takeOver(
  io: OpsIo,
  lander: Lander & { readonly rpc: Rpc },
  lanes: readonly Lane[],
  formerTreasury: string,
): Promise<void> {
  const former = await openFormerTreasury(formerTreasury);
  const ofTreasury = lanes.filter(({ index }) => laneAuthority(index) === 'treasury');
  const wrong = await lanesMintedBy(lander.rpc.connection, former.publicKey, ofTreasury);
  io.progress?.(`${wrong.length} lanes go from ${former.publicKey.toBase58()} to the treasury`);
  await explained(() => handOverLanes(lander, former, wrong));
}

async function assertUnused(rpc: Rpc, db: Db, lanes: readonly Lane[]): Promise<void> {
  if ((await laneRows.all(db)).length > 0) return;
  const missing = await explained(() => missingLanes(rpc.connection, lanes, 'confirmed'));
  const reading = await rpc.readLanes(
    lanes.filter((lane) => !missing.includes(lane)).map(({ mint }) => mint.toBase58()),
  );
  const used = lanes.find(({ mint }) => (agreedValue(reading, mint.toBase58()) ?? 0n) > 0n);
  if (!used) return;
  throw new OpsError(
    `lane ${used.index} has been used, but the database has no lanes: it was restored from before they were made. ` +
      'Close or settle by hand what was planned before, then run this with --restored',
  );
}

function rowOf({ index, mint, account, authority }: Lane, seedId: string): laneRows.NewLane {
  return { lane: index, mint: mint.toBase58(), account: account.toBase58(), authority: authority.toBase58(), seedId };
}

function rpcOf(io: OpsIo): Rpc {
  return createRpc({ endpoints: [rpcUrl(io)] });
}

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NotLandedError) throw new OpsError(error.message, { cause: error });
    if (!(error instanceof ForeignLaneError)) throw error;
    const hint = 'if it was made for a wrong treasury, repeat this with --former-treasury and the signer of that one';
    throw new OpsError(`${error.message}; ${hint}`, { cause: error });
  }
}
