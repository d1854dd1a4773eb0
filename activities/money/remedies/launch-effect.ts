import { VersionedTransaction } from '@solana/web3.js';
import { marksBesideThePool } from '../../../chain/launch/marks.ts';
import type { Effect } from '../../../chain/rpc/witness.ts';
import type { ChainTransaction } from '../../../db/schema/money.ts';
import type { LaunchTerms } from '../../../domain/launch/terms.ts';

/**
 * What a launch's transaction leaves, whoever signed it a second time. Its mark says so however long strangers make the launch wallet's
 * history; of the pool's transaction alone that is searched.
 */
export function effectOf(terms: LaunchTerms, { wire, purpose }: ChainTransaction): Effect {
  const message = VersionedTransaction.deserialize(wire).message.serialize();
  const marks = marksBesideThePool(terms).get(purpose);
  return { account: terms.addresses.launchWallet, message, ...(marks && { marks }) };
}
