import type { PublicKey } from '@solana/web3.js';
import { deriveLane, type Lane } from '../../../chain/lanes/lane.ts';
import { deriveLaneSecret, type LaneSecret } from '../../../chain/lanes/lane-secret.ts';
import { createStamp, type LaneStamp, type Stamp } from '../../../chain/lanes/stamp.ts';
import type { TransactionSigner } from '../../../chain/signers/signer.ts';
import { createLocalChain } from '../../../dev/seed/local-chain.ts';
import { laneAccounts } from '../../../dev/seed/write-lanes.ts';
import type { Purpose } from '../../../domain/purpose.ts';

/** Environment that the lanes of these tests belong to. */
export const TEST_ENVIRONMENT = 'lanes-test';

/** A secret as a worker would derive it. */
export function testSecret(seed = 7): LaneSecret {
  const context = { genesisHash: 'a chain', environment: TEST_ENVIRONMENT };
  return deriveLaneSecret({ id: 'seed-1', secret: new Uint8Array(32).fill(seed) }, context);
}

/** A stamp that puts no step on anything: where only what follows the step matters. */
export function plainStamp(signer: TransactionSigner, blockhash: string): Stamp {
  return { signer, blockhash, mark: (instructions) => [...instructions], assertCarriedBy: () => undefined };
}

/** A stamp on a lane that is nowhere: where only the size matters. */
export async function sizedStamp(signer: TransactionSigner, blockhash: string, purpose = 'size/1'): Promise<LaneStamp> {
  const wallet = signer.publicKey;
  const lane = await deriveLane({ platform: wallet, treasury: wallet }, TEST_ENVIRONMENT, 0);
  return createStamp({ lane, signer, secret: testSecret(), purpose: purpose as Purpose, from: 0n, blockhash });
}

/** Makes a lane on a local chain, as seeding does. */
export async function makeTestLane(rpcUrl: string, authority: PublicKey, index = 0): Promise<Lane> {
  const lane = await deriveLane({ platform: authority, treasury: authority }, TEST_ENVIRONMENT, index);
  await createLocalChain(rpcUrl).writeAccounts(laneAccounts(lane));
  return lane;
}
