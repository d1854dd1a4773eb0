import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token';
import { Keypair, PublicKey, SystemProgram, Transaction, TransactionInstruction } from '@solana/web3.js';
import { memoInstruction } from '../../../chain/transactions/memo.ts';
import { SEED_PAIRS } from '../../../dev/seed/local-pairs.ts';
import { createDeskClient } from '../../../dev/demo/desk-client.ts';
import { eventually } from '../../support/platform/eventually.ts';
import type { RealStack } from '../chaos/processes/real-stack.ts';
import type { Dice } from './wishes.ts';

/** Someone who pays to be in the way of everything that the platform does. */
export interface Stranger {
  /** Adds to the history of all that can be named: lanes, nonces, pots, wallets of launches; the memo claims to be somebody's claim or payout. */
  name(): Promise<void>;
  /** Sends lamports to one of them. */
  dust(): Promise<void>;
  /** Sends a quote token to a pot, or to the treasury. */
  give(): Promise<void>;
  /** Sends bytes again that the platform sent before. */
  repeat(): Promise<void>;
  /** Raw units given so far, by owner and mint. */
  readonly given: ReadonlyMap<string, bigint>;
}

/** Rent of an empty account: less cannot be sent to an address that has none. */
const RENT = 890_880;
/** Accounts that fit into one transaction beside the rest. */
const MOST_NAMED = 20;
const [GIFT] = SEED_PAIRS;

export async function createStranger(ground: RealStack, dice: Dice): Promise<Stranger> {
  const wallet = Keypair.generate();
  const given = new Map<string, bigint>();
  await ground.chain.control.fund(wallet.publicKey.toBase58(), 10n ** 12n);
  await createDeskClient(ground.stack.siteUrl).fund(wallet.publicKey.toBase58(), GIFT!.mint.toBase58(), '1000');
  const send = (...instructions: TransactionInstruction[]) => sendAs(ground, wallet, instructions);
  const one = async () => {
    const all = await targets(ground);
    return all[dice(all.length)]!;
  };
  return {
    given,
    name: async () => {
      const all = await targets(ground);
      const from = dice(all.length);
      const keys = [...all.slice(from), ...all].slice(0, MOST_NAMED);
      await send(naming(wallet.publicKey, keys), memoInstruction(await forgedMemo(ground, dice)));
    },
    dust: async () => {
      const to = await one();
      await send(SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: to, lamports: RENT + dice(1_000) }));
    },
    give: async () => {
      const owners = await potsAndTreasury(ground);
      const owner = owners[dice(owners.length)]!;
      await send(...giving(wallet.publicKey, owner));
      const key = `${owner.toBase58()} ${GIFT!.mint.toBase58()}`;
      given.set(key, (given.get(key) ?? 0n) + 1n);
    },
    repeat: async () => {
      const wires = await sentBefore(ground);
      const wire = wires[dice(wires.length)];
      // Whether the chain refuses it, or knows it already: nothing may come of it.
      if (wire) await ground.connection.sendRawTransaction(wire, { skipPreflight: true }).catch(() => undefined);
    },
  };
}

/** All that a stranger finds by looking at the chain. */
async function targets(ground: RealStack): Promise<PublicKey[]> {
  const { db } = ground;
  const lanes = await db.selectFrom('lanes').select('mint').execute();
  const nonces = await db.selectFrom('claimNonces').select('nonceAccount').execute();
  const launches = await db.selectFrom('launches').select('terms').orderBy('submittedAt', 'desc').limit(10).execute();
  const wallets = launches.map(
    ({ terms }) => (terms as { addresses: { launchWallet: string } }).addresses.launchWallet,
  );
  const named = [...lanes.map(({ mint }) => mint), ...nonces.map(({ nonceAccount }) => nonceAccount), ...wallets];
  return [...named.map((address) => new PublicKey(address)), ...(await potsAndTreasury(ground))];
}

async function potsAndTreasury({ db, stack }: RealStack): Promise<PublicKey[]> {
  const pots = await db.selectFrom('rewardTokens').select('pot').execute();
  return [stack.treasury, ...pots.map(({ pot }) => pot)].map((address) => new PublicKey(address));
}

async function forgedMemo({ db }: RealStack, dice: Dice): Promise<string> {
  const intents = await db.selectFrom('claimIntents').select('intentId').limit(50).execute();
  const rounds = await db.selectFrom('rewardRounds').select('id').limit(50).execute();
  const memos = [...intents.map(({ intentId }) => `claim/${intentId}`), ...rounds.map(({ id }) => `reward/${id}/1`)];
  return memos[dice(memos.length)] ?? 'nothing';
}

/** A transfer to oneself: the system program looks at no account beyond its own. */
function naming(wallet: PublicKey, keys: readonly PublicKey[]): TransactionInstruction {
  const transfer = SystemProgram.transfer({ fromPubkey: wallet, toPubkey: wallet, lamports: 1 });
  const named = keys.map((pubkey) => ({ pubkey, isSigner: false, isWritable: false }));
  return new TransactionInstruction({ ...transfer, keys: [...transfer.keys, ...named] });
}

function giving(from: PublicKey, owner: PublicKey): TransactionInstruction[] {
  const { mint, decimals, tokenProgram } = GIFT!;
  const [source, target] = [from, owner].map((who) => getAssociatedTokenAddressSync(mint, who, true, tokenProgram));
  return [
    createAssociatedTokenAccountIdempotentInstruction(from, target!, owner, mint, tokenProgram),
    createTransferCheckedInstruction(source!, mint, target!, from, 1n, decimals, [], tokenProgram),
  ];
}

async function sentBefore({ db }: RealStack): Promise<Uint8Array[]> {
  const sent = db.selectFrom('chainTransactions').select('wire').where('broadcastAt', 'is not', null);
  return (await sent.orderBy('signedAt', 'desc').limit(100).execute()).map(({ wire }) => wire);
}

async function sendAs({ connection }: RealStack, wallet: Keypair, instructions: TransactionInstruction[]) {
  const { blockhash } = await connection.getLatestBlockhash('confirmed');
  const transaction = new Transaction({ feePayer: wallet.publicKey, recentBlockhash: blockhash }).add(...instructions);
  transaction.sign(wallet);
  const signature = await connection.sendRawTransaction(transaction.serialize(), { preflightCommitment: 'confirmed' });
  await eventually(async () => {
    const { value } = await connection.getSignatureStatus(signature);
    if (value?.err) throw new Error(`a stranger's transaction failed: ${JSON.stringify(value.err)}`);
    return value && value.confirmationStatus !== 'processed' ? true : null;
  }, `a stranger's transaction ${signature}`);
}
