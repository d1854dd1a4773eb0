import { PublicKey, VersionedTransaction } from '@solana/web3.js';
import { buildLaunchSteps, cosignPayment, type LaunchTransaction } from '../../chain/launch/bundle.ts';
import { deriveLaunchKeys, type LaunchKeys } from '../../chain/keys/launch-keys.ts';
import { createChainTransactionRepository } from '../../db/chain-transactions.ts';
import { transaction } from '../../db/connect.ts';
import { createLaunchRepository } from '../../db/launches.ts';
import type { LaunchRecord } from '../../db/records.ts';
import { readBundle } from './bundle-rows.ts';
import type { LaunchDeps } from './deps.ts';

/**
 * Signs the whole bundle and persists it; nothing is sent here. All four transactions carry the payment's blockhash, so
 * that they live and die together. Where the ledger knows nothing of the launch, its wallet's history on the chain is
 * asked first: a restored database must not make a second launch out of a payment that landed.
 */
export async function assembleBundle(deps: LaunchDeps, launch: LaunchRecord): Promise<void> {
  if (launch.state !== 'received') return;
  const { quoteId, terms } = launch;
  const isKnown = (await readBundle(deps.db, quoteId)).length > 0;
  if (!isKnown) await signAndPersist(deps, launch);
  const history = isKnown ? [] : await deps.rpc.historyOf(terms.addresses.launchWallet, { commitment: 'confirmed' });
  const next = history.some(({ err }) => err === null) ? 'landing' : 'preparing';
  await createLaunchRepository(deps.db).transition(quoteId, ['received'], next);
}

async function signAndPersist(deps: LaunchDeps, launch: LaunchRecord): Promise<void> {
  const { terms } = launch;
  const bundle = await signBundle(deps, launch);
  const rows = bundle.map(({ purpose, signature, wire }) => ({
    ...{ purpose, signature, wire, attempt: 1 },
    blockhash: terms.payment.blockhash,
    blockhashSlot: BigInt(terms.payment.blockhashSlot),
    lastValidBlockHeight: BigInt(terms.payment.lastValidBlockHeight),
  }));
  const result = await transaction(deps.db, (tx) => createChainTransactionRepository(tx).insertSigned(rows));
  deps.logger.info({ outcome: result.outcome, signatures: rows.map((row) => row.signature) }, 'bundle signed');
}

async function signBundle(deps: LaunchDeps, { terms, submittedWire }: LaunchRecord): Promise<LaunchTransaction[]> {
  const keys = launchKeysOf(deps, terms);
  const payment = cosignPayment(terms.quoteId, VersionedTransaction.deserialize(submittedWire), keys);
  const steps = await buildLaunchSteps(deps.builder, terms, keys, {
    ...deps.settings,
    blockhash: terms.payment.blockhash,
    tipAccount: await pickTipAccount(deps, terms.quoteId),
  });
  return [payment, ...steps];
}

/** The keys of a launch from the seed its quote names. Throws when that seed is gone or gives other addresses. */
export function launchKeysOf(deps: Pick<LaunchDeps, 'seeds' | 'context'>, terms: LaunchRecord['terms']): LaunchKeys {
  const seed = deps.seeds.find(({ id }) => id === terms.seedId);
  if (!seed)
    throw new Error(`launch ${terms.quoteId} was sealed with seed "${terms.seedId}", which LAUNCH_SEEDS lacks`);
  const keys = deriveLaunchKeys(seed, deps.context, terms.quoteId);
  if (keys.mint.publicKey.toBase58() !== terms.addresses.mint) {
    throw new Error(`seed "${seed.id}" gives launch ${terms.quoteId} another mint than ${terms.addresses.mint}`);
  }
  return keys;
}

/** One of the block engine's tip accounts; always the same for a launch, so that a retry builds the same bytes. */
export async function pickTipAccount(deps: Pick<LaunchDeps, 'relay'>, quoteId: string): Promise<PublicKey> {
  const accounts = (await deps.relay.tipAccounts()).map((key) => key.toBase58()).toSorted();
  const account = accounts[Number.parseInt(quoteId.slice(0, 8), 16) % accounts.length];
  if (account === undefined) throw new Error('the block engine names no tip account');
  return new PublicKey(account);
}
