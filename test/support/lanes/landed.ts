import { PublicKey } from '@solana/web3.js';
import { type Lane, LANE_COUNT, deriveLanes } from '../../../chain/lanes/lane.ts';
import { deriveLaneSecret, type LaneSecret, numberOf, stepValue } from '../../../chain/lanes/lane-secret.ts';
import { readStep, type SignedStep } from '../../../chain/lanes/step.ts';
import { loadedBy } from '../../../chain/lanes/walk.ts';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import type { LandedTransaction } from '../../../chain/rpc/transactions.ts';
import { sql } from 'kysely';
import type { Db } from '../../../db/connect.ts';
import type { Purpose } from '../../../domain/purpose.ts';
import type { Platform } from '../platform/platform.ts';
import { addressOf } from '../platform/secrets.ts';
import { restored } from '../platform/restored.ts';

/** What is needed to read movements off a chain. */
export type JudgedChain = Pick<Platform, 'chain' | 'connection' | 'secrets'>;

/**
 * The movements that succeeded in the history of an address, oldest first, each by the purpose among these that its step's tag
 * names; `unknown` where none is. Judged from the chain and the secrets alone, without the ledger.
 */
export async function landedMovements(
  platform: JudgedChain,
  address: PublicKey | string,
  candidates: Iterable<string>,
): Promise<string[]> {
  const rpc = createRpc({ endpoints: [platform.chain.rpcUrl] });
  const names = [...candidates];
  const secret = secretOf(platform);
  const history = await platform.connection.getSignaturesForAddress(new PublicKey(address), {}, 'confirmed');
  const landed: string[] = [];
  for (const { signature } of history.filter(({ err }) => err === null).reverse()) {
    const transaction = await rpc.getTransaction(signature, 'confirmed');
    const step = transaction && (await stepIn(platform, transaction));
    if (step) landed.push(purposeOf(step, secret, names) ?? 'unknown');
  }
  return landed;
}

async function stepIn(platform: JudgedChain, transaction: LandedTransaction): Promise<SignedStep | null> {
  const step = readStep(transaction.wire, loadedBy(transaction));
  return step && (await lanesOf(platform)).some(({ mint }) => mint.equals(step.mint)) ? step : null;
}

const known = new WeakMap<object, Promise<Lane[]>>();

function lanesOf({ secrets, chain }: JudgedChain): Promise<Lane[]> {
  const wallet = (secret: string) => new PublicKey(addressOf(secret));
  const wallets = { platform: wallet(secrets.PLATFORM_SECRET_KEY), treasury: wallet(secrets.TREASURY_SECRET_KEY) };
  const lanes = known.get(chain) ?? deriveLanes(wallets, 'test');
  known.set(chain, lanes);
  return lanes;
}

function secretOf({ secrets, chain }: JudgedChain): LaneSecret {
  const seed = Buffer.from(secrets.LAUNCH_SEEDS.split(',')[0]?.split(':')[1] ?? '', 'base64');
  const context = { genesisHash: chain.genesisHash, environment: 'test' };
  return deriveLaneSecret({ id: '', secret: new Uint8Array(seed) }, context);
}

function purposeOf(step: SignedStep, secret: LaneSecret, names: readonly string[]): string | undefined {
  const { from, to } = step;
  const digest = step.digest();
  return names.find((name) => stepValue(secret, numberOf(to), { from, purpose: name as Purpose, digest }) === to);
}

/**
 * Takes the ledger of movements back to before the first one whose purpose is like this, as restoring a copy does: all later
 * steps of the same lanes are forgotten with it.
 */
export async function forgetMovements(db: Db, like: string): Promise<void> {
  await restored(db, async (tx) => {
    const { rows } = await sql<{ lane: number; number: number; from: bigint }>`
      select distinct on (lane) lane, number, from_value as from from lane_steps
      where purpose like ${like} order by lane, number`.execute(tx);
    await tx
      .deleteFrom('chainTransactions')
      .where('purpose', 'like', like as Purpose)
      .execute();
    for (const { lane, number, from } of rows) {
      if (lane >= LANE_COUNT) throw new RangeError(`there is no lane ${lane}`);
      await tx.deleteFrom('chainTransactions').where('lane', '=', lane).where('stepNumber', '>=', number).execute();
      await tx.deleteFrom('laneSteps').where('lane', '=', lane).where('number', '>=', number).execute();
      await tx
        .updateTable('lanes')
        .set({ number: number - 1, value: from })
        .where('lane', '=', lane)
        .execute();
    }
  });
}
