import { createTransferCheckedInstruction } from '@solana/spl-token';
import { Keypair, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { sql } from 'kysely';
import { memoInstruction } from '../../../chain/transactions/memo.ts';
import { claimPurpose } from '../../../domain/claim/purpose.ts';
import { createDeskClient } from '../../../dev/demo/desk-client.ts';
import { accountOf, land, openAccount } from '../../support/claim/claim-market.ts';
import { localPair } from '../../support/platform/local-pair.ts';
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
const GIFT = localPair('USDL');

export async function createStranger(ground: RealStack, dice: Dice): Promise<Stranger> {
  const wallet = Keypair.generate();
  const given = new Map<string, bigint>();
  await ground.chain.control.fund(wallet.publicKey.toBase58(), 10n ** 12n);
  await createDeskClient(ground.stack.siteUrl).fund(wallet.publicKey.toBase58(), GIFT.mint.toBase58(), '1000');
  const send = (...instructions: TransactionInstruction[]) => land(ground, wallet, instructions);
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
      await send(...giving(wallet, owner));
      const key = `${owner.toBase58()} ${GIFT.mint.toBase58()}`;
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
  const launches = await db
    .selectFrom('launches')
    .select(sql<string>`terms -> 'addresses' ->> 'launchWallet'`.as('launchWallet'))
    .orderBy('submittedAt', 'desc')
    .limit(10)
    .execute();
  const wallets = launches.map(({ launchWallet }) => launchWallet);
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
  const memos = [...intents.map(({ intentId }) => claimPurpose(intentId)), ...rounds.map(({ id }) => `reward/${id}/1`)];
  return memos[dice(memos.length)] ?? 'nothing';
}

/** A transfer to oneself: the system program looks at no account beyond its own. */
function naming(wallet: PublicKey, keys: readonly PublicKey[]): TransactionInstruction {
  const transfer = SystemProgram.transfer({ fromPubkey: wallet, toPubkey: wallet, lamports: 1 });
  const named = keys.map((pubkey) => ({ pubkey, isSigner: false, isWritable: false }));
  return new TransactionInstruction({ ...transfer, keys: [...transfer.keys, ...named] });
}

/** One raw unit, into an account that is opened where there is none. */
function giving(wallet: Keypair, owner: PublicKey): TransactionInstruction[] {
  const { mint, decimals, tokenProgram } = GIFT;
  const [from, to] = [accountOf(GIFT, wallet.publicKey), accountOf(GIFT, owner)];
  return [
    openAccount(GIFT, owner, wallet),
    createTransferCheckedInstruction(from, mint, to, wallet.publicKey, 1n, decimals, [], tokenProgram),
  ];
}

async function sentBefore({ db }: RealStack): Promise<Uint8Array[]> {
  const sent = db.selectFrom('chainTransactions').select('wire').where('broadcastAt', 'is not', null);
  return (await sent.orderBy('signedAt', 'desc').limit(100).execute()).map(({ wire }) => wire);
}
