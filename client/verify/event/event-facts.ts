import type { SlipwayEvent } from '../../events/events.ts';
import { memoText } from '../../solana/memo.ts';
import { MEMO_PROGRAM } from '../../solana/programs.ts';
import { burnsIn, sumOf } from '../burns.ts';
import type { Chain, Commitment } from '../chain.ts';
import { Difference, type Found, mustEqual, NotProvable, type Outcome } from '../check.ts';
import { gainOf, type Landed } from '../landed.ts';
import { feeOf, type MintAccount, readMint } from '../mint-account.ts';
import { mustBePaidBack } from '../paid-back.ts';
import { succeededTransaction } from '../succeeded-transaction.ts';
import type { TransactionReader } from './recent-transactions.ts';

export interface EventChain {
  readonly reader: TransactionReader;
  readonly accounts: Chain['accounts'];
}

interface Stated {
  readonly signature: string;
  /** Null where the event has none. */
  readonly slot: number | null;
  readonly commitment?: Commitment;
}

export function statedBy({ id, type }: SlipwayEvent, value: string): Found {
  return { value, from: `${type} ${id}` };
}

/** @throws NotProvable for an unknown transaction, Difference for one that failed or has another slot */
export async function landedAs({ reader }: EventChain, event: SlipwayEvent, stated: Stated): Promise<Landed> {
  const { signature, slot, commitment = 'finalized' } = stated;
  const chain = {
    name: reader.name,
    transaction: () => reader.transaction(signature, commitment, event.recordedAt),
  };
  const { from } = statedBy(event, '');
  const landed = await succeededTransaction(chain, signature, { failure: 'the transaction failed', from, commitment });
  if (slot !== null) {
    const found = { value: String(landed.slot), from: `${signature} on ${reader.name}` };
    mustEqual('the transaction has another slot', statedBy(event, String(slot)), found);
  }
  return landed;
}

/** @throws Difference for a text that is no amount */
export function rawOf(event: SlipwayEvent, raw: string): bigint {
  if (/^\d{1,20}$/.test(raw)) return BigInt(raw);
  throw new Difference('an amount is no number', { value: 'raw units', from: 'docs/events.md' }, statedBy(event, raw));
}

function walletOf({ wallet, id }: SlipwayEvent): string {
  if (wallet !== null) return wallet;
  throw new NotProvable(`event ${id} names no wallet`);
}

function mintOf({ mint, id }: SlipwayEvent): string {
  if (mint !== null) return mint;
  throw new NotProvable(`event ${id} names no mint`);
}

interface Gain {
  readonly owner: string;
  readonly mint: string;
  readonly raw: bigint;
  /** The owner may have gained more in the same transaction. */
  readonly orMore?: true;
}

/** Requires that the owner gained this, or what a transfer tax left of it. */
export async function mustGain(chain: EventChain, event: SlipwayEvent, landed: Landed, gain: Gain): Promise<void> {
  const { owner, mint, raw, orMore } = gain;
  const gained = gainOf(landed, owner, mint);
  const fits = (least: bigint) => (orMore ? gained >= least : gained === least);
  if (fits(raw)) return;
  const fee = gained < raw ? ((await mintAccount(chain, mint))?.transferFee ?? null) : null;
  if (fee && [fee.older, fee.newer].some((rate) => fits(raw - feeOf(raw, rate)))) return;
  const found = { value: String(gained), from: `balances of ${owner} in ${landed.signature}` };
  throw new Difference(`the wallet got another amount of ${mint}`, statedBy(event, String(raw)), found);
}

async function mintAccount({ accounts }: EventChain, mint: string): Promise<MintAccount | null> {
  const [state] = await accounts([mint]);
  return state ? readMint(state) : null;
}

type Of<Subject extends keyof SlipwayEvent> = NonNullable<SlipwayEvent[Subject]>;

export async function checkPayout(
  chain: EventChain,
  event: SlipwayEvent,
  payout: Of<'payout'>,
): Promise<Outcome<null>> {
  const { quoteMint, amountRaw } = payout;
  const [landed, owner, raw] = [await landedAs(chain, event, payout), walletOf(event), rawOf(event, amountRaw)];
  await mustGain(chain, event, landed, { owner, mint: quoteMint, raw });
  return { how: `${owner} got ${amountRaw} of ${quoteMint} in slot ${landed.slot}`, value: null };
}

export async function checkClaimPaid(chain: EventChain, event: SlipwayEvent, claim: Of<'claim'>) {
  const { baseRaw, quoteRaw, quoteMint } = claim;
  const landed = await landedAs(chain, event, claim);
  const [owner, mint] = [walletOf(event), mintOf(event)];
  for (const [of, raw] of [
    [mint, baseRaw],
    [quoteMint, quoteRaw],
  ] as const)
    await mustGain(chain, event, landed, { owner, mint: of, raw: rawOf(event, raw), orMore: true });
  const how = `${owner} got at least ${baseRaw} of ${mint} and ${quoteRaw} of ${quoteMint} in slot ${landed.slot}`;
  return { how, value: null };
}

export async function checkBurn(chain: EventChain, event: SlipwayEvent, burn: Of<'burn'>): Promise<Outcome<null>> {
  const landed = await landedAs(chain, event, { signature: burn.signature, slot: null });
  const mint = mintOf(event);
  const burned = sumOf(burnsIn(landed).filter((one) => one.mint === mint));
  const found = { value: String(burned), from: `signed bytes of ${burn.signature}` };
  mustEqual('another amount was burned', statedBy(event, String(rawOf(event, burn.amountRaw))), found);
  return { how: `${burned} of ${mint} burned in slot ${landed.slot}`, value: null };
}

export async function checkBuyback(chain: EventChain, event: SlipwayEvent, buyback: Of<'buyback'>) {
  const { quoteMint, spentRaw, boughtRaw, signature } = buyback;
  const landed = await landedAs(chain, event, buyback);
  const mint = mintOf(event);
  const moves = landed.signers.map((owner) => `-${-gainOf(landed, owner, quoteMint)}, +${gainOf(landed, owner, mint)}`);
  const stated = `-${rawOf(event, spentRaw)}, +${rawOf(event, boughtRaw)}`;
  if (!moves.includes(stated)) {
    const found = { value: moves.join(' or '), from: `balances of the signers in ${signature}` };
    throw new Difference('another amount was spent or bought', statedBy(event, stated), found);
  }
  return { how: `${boughtRaw} of ${mint} for ${spentRaw} of ${quoteMint} in slot ${landed.slot}`, value: null };
}

/** Requires the signature of the wallet that burns the coins. Does not ask who owns the wallet of the quote tokens. */
export async function checkHarvest(chain: EventChain, event: SlipwayEvent, harvest: Of<'harvest'>) {
  const { quoteMint, quoteRaw, baseRaw, signature } = harvest;
  const landed = await landedAs(chain, event, harvest);
  const mint = mintOf(event);
  const owners = landed.tokens.map(({ owner }) => owner);
  for (const [of, raw, among] of [
    [quoteMint, rawOf(event, quoteRaw), owners],
    [mint, rawOf(event, baseRaw), landed.signers],
  ] as const) {
    const gains = [...new Set(among)].map((owner) => gainOf(landed, owner, of));
    if (raw === 0n || gains.includes(raw)) continue;
    const found = { value: gains.join(' or ') || 'nothing', from: `balances in ${signature}` };
    throw new Difference(`another amount of ${of} was harvested`, statedBy(event, String(raw)), found);
  }
  const how = `${quoteRaw} of ${quoteMint} and ${baseRaw} of ${mint} were harvested in slot ${landed.slot}`;
  return { how, value: null };
}

/** Requires that the creator paid for this quote and, after a refund, got back all that the payment cost. */
export async function checkLaunch(chain: EventChain, event: SlipwayEvent, launch: Of<'launch'>) {
  const { quoteId, paymentSignature, refundSignature, slot } = launch;
  if (paymentSignature === null) throw new NotProvable(`event ${event.id} names a refund and no payment`);
  const commitment = refundSignature === null ? 'confirmed' : 'finalized';
  const payment = await landedAs(chain, event, { signature: paymentSignature, slot: null, commitment });
  const creator = walletOf(event);
  const payer = { value: payment.signers[0] ?? 'nobody', from: paymentSignature };
  mustEqual('another wallet paid for the launch', statedBy(event, creator), payer);
  const purpose = `launch/${quoteId}/1`;
  const memos = payment.instructions.filter(({ program }) => program === MEMO_PROGRAM);
  const named = { value: memos.map(memoText).join(' ') || 'no memo', from: paymentSignature };
  const memo = memos.find((one) => memoText(one) === purpose);
  if (!memo) throw new Difference('it is not the payment of this launch', statedBy(event, purpose), named);
  const isLater = slot !== null && payment.slot > slot;
  const found = { value: String(payment.slot), from: `${paymentSignature} on ${chain.reader.name}` };
  if (isLater) throw new Difference('the payment is later than the launch', statedBy(event, String(slot)), found);
  const how = `${creator} paid in slot ${payment.slot}`;
  if (refundSignature === null) return { how, value: null };
  const refund = await landedAs(chain, event, { signature: refundSignature, slot });
  // It signed the payment's memo.
  const [wallet] = memo.accounts;
  const launchWallet = wallet?.isSigner === true ? wallet.address : undefined;
  const signedBy = statedBy(event, `signed by the launch wallet ${wallet?.address ?? 'of the memo'}`);
  const { back } = mustBePaidBack({ payment, refund, creator, launchWallet }, signedBy);
  return { how: `${how}, and got ${back} lamports back in slot ${refund.slot}`, value: null };
}
