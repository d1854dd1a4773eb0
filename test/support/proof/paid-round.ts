import { randomUUID } from 'node:crypto';
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import { Connection, Keypair, type PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { createStamp } from '../../../chain/lanes/stamp.ts';
import { sealWork } from '../../../chain/transactions/seal.ts';
import { signPurposed } from '../../../chain/transactions/purposed.ts';
import type { AccountState } from '../../../client/verify/chain.ts';
import type { Check } from '../../../client/verify/check.ts';
import { createRpcChain } from '../../../client/verify/rpc-chain.ts';
import { type RoundQuestion, verifyRound } from '../../../client/verify/round/verify-round.ts';
import { startLocalnet } from '../../../dev/localnet/index.ts';
import { candidateSlots, isDrawn, windowAfter } from '../../../domain/reward/draw.ts';
import { batchesOf } from '../../../domain/batches.ts';
import { documentLines, rootOfLines } from '../../../domain/proof/lines.ts';
import { withoutShare } from '../../../domain/reward/left-out.ts';
import { roundDocument, type RoundPlan } from '../../../domain/reward/round-document.ts';
import { rewardPurpose } from '../../../domain/reward/purpose.ts';
import { splitRewards } from '../../../domain/reward/split-among-holders.ts';
import { secondAccount } from '../exchange/second-account.ts';
import { accountOf, createTestChain, groupOf, transferInstruction } from '../exchange/test-chain.ts';
import { makeTestLane, testSecret } from '../lanes/stamps.ts';
import { eventually } from '../platform/eventually.ts';
import type { TokenInfo } from '../../../chain/tokens/token.ts';
import { type PriceTable, priceTable, quoteTokens } from './price-table.ts';
import { poolAccount } from './scripted-chain.ts';

/** A transfer out of the pot. */
export interface Payment {
  readonly owner: PublicKey;
  readonly raw: bigint;
}

/** Where a test commits its theft. What it leaves out happens honestly. */
export interface Theft {
  /** Changes the plan before it is sealed. */
  readonly plan?: (plan: RoundPlan) => RoundPlan;
  /** Changes what each transaction behind the seal pays. */
  readonly pays?: (batches: readonly (readonly Payment[])[]) => readonly (readonly Payment[])[];
  readonly beforeSeal?: (coin: RewardCoin, payments: readonly Payment[]) => Promise<unknown>;
  readonly afterPayouts?: (coin: RewardCoin) => Promise<unknown>;
  /** Changes the document that is shown. */
  readonly shown?: (text: string) => string;
  readonly isUnsealed?: true;
  /** The pot sells past the pool. */
  readonly sellsToBank?: true;
  /** The account of the document's pool on the chain; default: the pool of coin and quote token. */
  readonly pool?: (coin: RewardCoin) => AccountState | null;
  /** Changes what is asked. */
  readonly asked?: (coin: RewardCoin) => Partial<RoundQuestion>;
}

export type ProofFixture = Awaited<ReturnType<typeof startProofFixture>>;

/** A coin with its pot, and who takes part in its round. */
export interface RewardCoin {
  readonly base: TokenInfo;
  readonly quote: TokenInfo;
  readonly pot: Keypair;
  /**
   * A holder with a quote account, whose tokens are in two accounts until the middle of the window; one without a quote
   * account; and one whose share is too small.
   */
  readonly alice: PublicKey;
  readonly bob: PublicKey;
  readonly tiny: PublicKey;
  readonly treasury: PublicKey;
  /** A wallet of the thief's. */
  readonly friend: PublicKey;
  /** Owns the accounts of the market. */
  readonly pool: Keypair;
}

const poolOf = ({ base, quote }: RewardCoin) => poolAccount([base.mint.toBase58(), quote.mint.toBase58()]);

/** Long enough for several candidates a part. */
const WINDOW_SLOTS = 600;

/** Whole quote tokens for a whole coin: what the sale gets. */
const AVERAGE_PRICE = '1000.003';

/** Holders that one transaction gives tokens, and opens accounts for. */
const GIVEN_AT_ONCE = 7;

/**
 * A local chain on which the keys of a platform pay one round of a coin, honestly or not.
 *
 * @param more holders of a unit besides those of {@link RewardCoin}
 */
export async function startProofFixture(more = 0) {
  const localnet = await startLocalnet({ slotMs: 10, slotsToFinalize: 1 });
  const connection = new Connection(localnet.rpcUrl, 'confirmed');
  const chain = await createTestChain(connection, async (who, lamports) => {
    localnet.control.fund(who.toBase58(), BigInt(lamports));
  });
  const payer = Keypair.generate();
  await chain.fund(payer.publicKey, 10_000_000_000);
  const lane = await makeTestLane(localnet.rpcUrl, payer.publicKey);
  const genesisHash = await connection.getGenesisHash();
  const rpcUrl = localnet.rpcUrl;

  async function makeToken(mint = Keypair.generate()): Promise<TokenInfo> {
    const token = { mint: mint.publicKey, decimals: 6, tokenProgram: TOKEN_PROGRAM_ID };
    await chain.createToken(token, mint, 10n ** 12n, chain.bank.publicKey);
    return token;
  }

  const base = await makeToken();
  const newWallet = () => Keypair.generate().publicKey;
  const [aliceKey, bob, tiny] = [Keypair.generate(), newWallet(), newWallet()];
  const alice = aliceKey.publicKey;
  const others = Array.from({ length: more }, newWallet);
  await giveAll([[alice, 60n], [bob, 300n], [tiny, 1n], ...others.map((owner) => [owner, 1n] as const)]);
  const second = await giveSecond(alice, 40n);
  const [receiptKey, quotes] = [newWallet(), quoteTokens()];
  const table = await sealTable();
  // Every round observed in it: it is over.
  const window = windowAfter(await connection.getSlot('confirmed'), WINDOW_SLOTS);
  await passTo(window.slot + Math.floor(window.slots / 2));
  await emptySecond();
  await passTo(window.slot + window.slots);

  async function passTo(slot: number): Promise<void> {
    localnet.control.advanceSlots(Math.max(0, slot - (await connection.getSlot('confirmed'))));
  }

  async function giveSecond(owner: PublicKey, raw: bigint): Promise<PublicKey> {
    const { publicKey: authority } = chain.bank;
    const gift = { from: accountOf(base, authority), authority, raw };
    const { key, instructions } = await secondAccount(connection, base, payer.publicKey, owner, gift);
    await chain.succeed(payer, groupOf(instructions), [key, chain.bank]);
    return key.publicKey;
  }

  /** The holder's tokens are in one account from the second observation on. */
  async function emptySecond(): Promise<void> {
    const whole = transferInstruction(base, second, accountOf(base, alice), alice, 40n);
    await chain.succeed(payer, groupOf([whole]), [aliceKey]);
  }

  async function giveAll(gifts: readonly (readonly [PublicKey, bigint])[]): Promise<void> {
    const { bank } = chain;
    const from = await chain.give(base, bank.publicKey, 1n);
    for (const batch of batchesOf(gifts, GIVEN_AT_ONCE)) {
      const instructions = batch.flatMap(([owner, raw]) => {
        const to = accountOf(base, owner);
        return [
          createAssociatedTokenAccountIdempotentInstruction(payer.publicKey, to, owner, base.mint, base.tokenProgram),
          createTransferCheckedInstruction(from, base.mint, to, bank.publicKey, raw, base.decimals),
        ];
      });
      await chain.succeed(payer, { instructions, signers: [], computeUnits: 400_000, lookupAddresses: [] }, [bank]);
    }
  }

  async function coin(): Promise<RewardCoin> {
    const [quote, pot] = [await makeToken(quotes.next()), Keypair.generate()];
    await chain.give(base, pot.publicKey, 5_000n);
    await chain.give(quote, pot.publicKey, 1_000n);
    const [treasury, friend] = [newWallet(), newWallet()];
    for (const owner of [alice, treasury, friend]) await chain.openAccount(quote, owner);
    const pool = Keypair.generate();
    await chain.give(base, pool.publicKey, 1n);
    await chain.give(quote, pool.publicKey, 10n ** 11n);
    const own = { base, quote, pot, alice, bob, tiny, treasury, friend, pool };
    setPool(own, poolOf(own));
    return own;
  }

  /** No program of the exchange runs here: the pool is a key with the account of a pool. */
  function setPool({ pool }: RewardCoin, state: AccountState | null): void {
    const account = state && { lamports: 10_000_000n, data: state.data, owner: state.program, executable: false };
    localnet.control.setAccounts([[pool.publicKey.toBase58(), account]]);
  }

  /** Lands instructions that the pot signs and the platform wallet pays for. */
  const land = async ({ pot }: RewardCoin, instructions: readonly TransactionInstruction[], isByPot = true) => {
    const group = { instructions: [...instructions], signers: [], computeUnits: 200_000, lookupAddresses: [] };
    const { signature, response } = await chain.succeed(payer, group, isByPot ? [pot] : []);
    return { signature, slot: response.slot };
  };

  const pay = ({ quote, pot }: RewardCoin, { owner, raw }: Payment): TransactionInstruction[] => {
    const [from, to] = [accountOf(quote, pot.publicKey), accountOf(quote, owner)];
    return [
      createAssociatedTokenAccountIdempotentInstruction(payer.publicKey, to, owner, quote.mint, quote.tokenProgram),
      createTransferCheckedInstruction(from, quote.mint, to, pot.publicKey, raw, quote.decimals),
    ];
  };

  /** The pot gives coins for quote tokens: to the pool, or to the bank. */
  async function sell(own: RewardCoin, baseRaw: bigint, quoteRaw: bigint, buyer = own.pool) {
    const { base, quote, pot } = own;
    const { publicKey: to } = buyer;
    const [sold, got] = [accountOf(base, to), accountOf(quote, pot.publicKey)];
    const instructions = [
      createTransferCheckedInstruction(accountOf(base, pot.publicKey), base.mint, sold, pot.publicKey, baseRaw, 6),
      createTransferCheckedInstruction(accountOf(quote, to), quote.mint, got, to, quoteRaw, 6),
    ];
    const group = { instructions, signers: [], computeUnits: 200_000, lookupAddresses: [] };
    const { signature, response } = await chain.succeed(payer, group, [pot, buyer]);
    const moved = { baseRaw: String(-baseRaw), quoteRaw: String(quoteRaw) };
    return { n: 0, kind: 'sale', signature, slot: response.slot, ...moved };
  }

  /** Seals a log with the prices of all quote tokens. */
  async function sealTable(facts: { readonly number?: number; readonly solUsd?: string } = {}): Promise<PriceTable> {
    const own = { genesisHash, receiptKey: receiptKey.toBase58(), quoteMints: quotes.mints };
    const log = priceTable({ ...own, ...facts });
    await sealRoot(Buffer.from(log.root, 'hex'), payer, receiptKey);
    return log;
  }

  const seal = ({ pot }: RewardCoin, root: Uint8Array) => sealRoot(root, pot, pot.publicKey);

  async function sealRoot(root: Uint8Array, wallet: Keypair, about: PublicKey) {
    const { value } = await connection.getTokenSupply(lane.mint, 'confirmed');
    const { blockhash } = await connection.getLatestBlockhash('confirmed');
    const purpose = rewardPurpose(randomUUID(), 1);
    const stampOf = { lane, signer: payer, secret: testSecret(), purpose, from: BigInt(value.amount), blockhash };
    const frame = { stamp: createStamp(stampOf), payer, wallet, computeUnitPrice: 1n };
    const { wire, signature } = await signPurposed(frame, sealWork(payer.publicKey, { root, about }));
    await connection.sendRawTransaction(wire, { skipPreflight: true });
    await final(signature);
  }

  function final(signature: string): Promise<true> {
    return eventually(async () => {
      const found = await connection.getTransaction(signature, {
        commitment: 'finalized',
        maxSupportedTransactionVersion: 0,
      });
      return found?.meta?.err === null ? true : null;
    }, `a finalized ${signature}`);
  }

  /** An observation as two endpoints answer it. */
  async function momentOf({ mint }: TokenInfo, n: number) {
    const slots = candidateSlots(window, n);
    for (const [index, slot] of slots.entries()) {
      const block = await connection.getBlock(slot, { maxSupportedTransactionVersion: 0 });
      if (!block) throw new Error(`slot ${slot} has no block`);
      const { blockhash } = block;
      if (index < slots.length - 1 && !isDrawn({ blockhash }, mint.toBase58(), n, slots.length)) continue;
      return { n, slot, blockhash, answerSlots: [slot + 2, slot + 1], quorum: 2, readSlot: slot + 1 };
    }
    throw new Error(`observation ${n} has no candidates`);
  }

  async function planOf(own: RewardCoin, buyer: Keypair): Promise<RoundPlan> {
    const { base, quote, pot, alice, bob, tiny, treasury } = own;
    const pool = own.pool.publicKey;
    const id = randomUUID();
    const moments = await Promise.all([0, 1, 2].map((n) => momentOf(base, n)));
    const [budgetRaw, leastPayoutRaw] = [1_000_003n, 10_000n];
    const held = [
      { owner: alice.toBase58(), balanceRaw: 100n, rentRaw: 0n },
      { owner: bob.toBase58(), balanceRaw: 300n, rentRaw: 1_000n },
      { owner: tiny.toBase58(), balanceRaw: 1n, rentRaw: 1_000n },
    ];
    const movements = [await sell(own, 1_000n, budgetRaw, buyer)];
    const { shares, restRaw } = splitRewards(budgetRaw, held, leastPayoutRaw);
    const holders = shares.map(({ owner, amountRaw, rentRaw }) => ({
      owner,
      kind: 'holder' as const,
      n: 2,
      amountRaw,
      rentRaw,
    }));
    const rent = { owner: treasury.toBase58(), kind: 'rent' as const, n: 3, amountRaw: 1_000n, rentRaw: 0n };
    const all = [...held, { owner: pool.toBase58(), balanceRaw: 599n }];
    return {
      facts: {
        kind: 'reward-round',
        environment: 'test',
        genesisHash,
        mint: base.mint.toBase58(),
        quoteMint: quote.mint.toBase58(),
        pool: pool.toBase58(),
        pot: pot.publicKey.toBase58(),
        number: 1,
        id,
        previous: null,
        openedSlot: window.slot - 1,
        window: { ...window },
        observations: moments,
        movements,
        saleAverage: AVERAGE_PRICE,
        rules: { minHoldingUsd: '0.001', minPayoutUsd: '0.01', averageMinutes: 30 },
        prices: { averagePrice: AVERAGE_PRICE, ...table.stated },
        budgetRaw: String(budgetRaw),
        restRaw: String(restRaw),
        minimumRaw: '1',
        leastPayoutRaw: String(leastPayoutRaw),
      },
      observations: moments.map(() => new Map(all.map(({ owner, balanceRaw }) => [owner, balanceRaw]))),
      payouts: [...holders, rent],
      leftOut: [...withoutShare(held, shares), { owner: pool.toBase58(), reason: 'pool', balanceRaw: 599n }],
      otherAccounts: new Map([[alice.toBase58(), [second.toBase58()]]]),
    };
  }

  /** One round from its sale to its last payout, and what `verify round` says of it. */
  async function round(theft: Theft = {}): Promise<readonly Check[]> {
    const own = await coin();
    if (theft.pool) setPool(own, theft.pool(own));
    const honest = await planOf(own, theft.sellsToBank ? chain.bank : own.pool);
    const plan = theft.plan?.(honest) ?? honest;
    const { head, rows } = roundDocument(plan);
    const lines = [...documentLines(head, rows)];
    const wallets = [own.alice, own.bob, own.treasury, own.friend, own.tiny];
    const payments = plan.payouts.map(({ owner, amountRaw: raw, n }) => {
      const wallet = wallets.find((one) => one.toBase58() === owner);
      if (!wallet) throw new Error(`${owner} is none of the wallets`);
      return { owner: wallet, raw, n };
    });
    await theft.beforeSeal?.(own, payments);
    if (!theft.isUnsealed) await seal(own, rootOfLines(lines));
    const batches = [2, 3].map((n) => payments.filter((one) => one.n === n));
    const last = [];
    for (const batch of theft.pays?.(batches) ?? batches)
      if (batch.length > 0)
        last.push(
          await land(
            own,
            batch.flatMap((payment) => pay(own, payment)),
          ),
        );
    await theft.afterPayouts?.(own);
    for (const { signature } of last) await final(signature);
    await final((await land(own, [], false)).signature);
    const text = theft.shown?.(lines.join('\n')) ?? lines.join('\n');
    const log = () => ({ text: [table.text], source: 'the log' });
    const asked = { number: 1, text: [text], source: 'the file', windowSlots: window.slots, log };
    const question = { mint: own.base.mint.toBase58(), ...asked, ...theft.asked?.(own) };
    return verifyRound({ ...question, chain: createRpcChain({ urls: [rpcUrl, rpcUrl] }) });
  }

  const close = () => localnet.close();
  return {
    chain,
    payer,
    base,
    bob,
    second,
    rpcUrl,
    genesisHash,
    window,
    table,
    sealTable,
    others,
    coin,
    land,
    pay,
    sell,
    seal,
    final,
    momentOf,
    round,
    close,
  };
}
