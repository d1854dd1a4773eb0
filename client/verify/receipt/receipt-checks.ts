import { lamportTransferIn } from '../../solana/lamport-transfer.ts';
import { memoText } from '../../solana/memo.ts';
import { MEMO_PROGRAM } from '../../solana/programs.ts';
import type { Chain } from '../chain.ts';
import { Difference, mustEqual, NotProvable, type Outcome } from '../check.ts';
import type { Landed } from '../landed.ts';
import { readStated } from '../launch/launch-bundle.ts';
import { readLaunchedMint } from '../launch/mint-checks.ts';
import { listedTransaction } from '../listed-transaction.ts';
import { mustBePaidBack } from '../paid-back.ts';
import { succeededTransaction } from '../succeeded-transaction.ts';
import type { Receipt } from './receipt-file.ts';

/** A chain that can also say whether a blockhash has expired. */
export interface ExpiryChain extends Chain {
  /** Height of the newest finalized block, and whether a transaction with this blockhash may still land. */
  expiry(blockhash: string): Promise<{ readonly height: number; readonly isValid: boolean }>;
}

type Of<Kind extends Receipt['kind']> = Extract<Receipt, { readonly kind: Kind }>;

const RECEIPT = 'the receipt';

/** Requires that the launch is on the chain exactly as the receipt says. */
export async function checkCompleted(chain: Chain, receipt: Of<'completed'>): Promise<Outcome<null>> {
  const { value: bundle, how } = await readStated(chain, receipt.signatures, RECEIPT);
  const { mint } = readLaunchedMint(bundle, null).value;
  const { payment, mint: minted, pool, locks } = bundle;
  const found: Record<string, string> = {
    quoteId: bundle.quoteId,
    creator: bundle.creator,
    launchWallet: bundle.launchWallet,
    lamports: String(bundle.lamports),
    mint,
    slot: String(payment.slot),
    paymentSignature: payment.signature,
    signatures: [payment, minted, pool, locks].map(({ signature }) => signature).join(' '),
  };
  const { quoteId, creator, launchWallet, paymentSignature, lamports, slot, signatures } = receipt;
  const said = { quoteId, creator, launchWallet, paymentSignature, lamports, mint: receipt.mint, slot: String(slot) };
  for (const [field, value] of Object.entries({ ...said, signatures: signatures.join(' ') }))
    mustEqual(
      `the launch has another ${field}`,
      { value, from: RECEIPT },
      { value: found[field] ?? 'none', from: `${payment.signature} on ${chain.name}` },
    );
  return { how, value: null };
}

/** Blocks after which no leader builds on an older fork any more. */
const MARGIN_BLOCKS = 32;

/**
 * Requires that the payment can never land, and that no transaction of the launch landed. The launch wallet must sign
 * each of them, so its history has every one.
 */
export async function checkNotCharged(
  chain: ExpiryChain,
  receipt: Of<'notCharged'>,
  most: number,
): Promise<Outcome<null>> {
  const { quoteId, launchWallet, paymentSignature, blockhash, lastValidBlockHeight } = receipt;
  const { height, isValid } = await chain.expiry(blockhash);
  if (isValid || height <= lastValidBlockHeight + MARGIN_BLOCKS)
    throw new NotProvable(
      `the payment may still land: ${chain.name} is at block ${height}, its last one is ${lastValidBlockHeight}`,
    );
  const paid = await chain.transaction(paymentSignature);
  if (paid) mustHaveFailed(paid, chain);
  const { entries, isWhole } = await chain.history(launchWallet, { most });
  for (const { signature, hasFailed } of entries) {
    const landed = hasFailed ? null : await listedTransaction(chain, signature);
    if (landed && isOfLaunch(landed, quoteId, launchWallet)) mustHaveFailed(landed, chain);
  }
  if (!isWhole) throw new NotProvable(`more than ${most} transactions name the launch wallet ${launchWallet}`);
  return {
    how: `blockhash ${blockhash} has expired, and the launch wallet ${launchWallet} signed nothing of it`,
    value: null,
  };
}

function mustHaveFailed({ hasFailed, signature, slot }: Landed, chain: Chain): void {
  if (hasFailed) return;
  throw new Difference(
    'the launch was paid for',
    { value: 'not charged', from: RECEIPT },
    { value: `landed in slot ${slot}`, from: `${signature} on ${chain.name}` },
  );
}

function isOfLaunch({ signers, instructions }: Landed, quoteId: string, launchWallet: string): boolean {
  const memos = instructions.filter(({ program }) => program === MEMO_PROGRAM).map(memoText);
  return signers.includes(launchWallet) && memos.some((text) => text.startsWith(`launch/${quoteId}/`));
}

const SUCCESS = { failure: 'a transaction failed', from: RECEIPT };

/** Requires that the payment landed, and that the creator got back all that it cost. */
export async function checkRefunded(chain: Chain, receipt: Of<'refunded'>): Promise<Outcome<null>> {
  const { quoteId, creator, launchWallet, lamports, paymentSignature, refundSignature } = receipt;
  const payment = await succeededTransaction(chain, paymentSignature, SUCCESS);
  if (!isOfLaunch(payment, quoteId, launchWallet))
    throw new Difference(
      'the payment is of another launch',
      { value: `launch/${quoteId}/1, signed by ${launchWallet}`, from: RECEIPT },
      { value: `signed by ${payment.signers.join(', ')}`, from: paymentSignature },
    );
  const paid = { value: String(transferred(payment, creator, launchWallet)), from: paymentSignature };
  mustEqual('the creator paid something else', { value: lamports, from: RECEIPT }, paid);
  const refund = await succeededTransaction(chain, refundSignature, SUCCESS);
  const signedBy = { value: `signed by ${launchWallet}`, from: RECEIPT };
  const { cost, back } = mustBePaidBack({ payment, refund, creator, launchWallet }, signedBy);
  return { how: `${creator} paid ${cost} lamports and got ${back} back`, value: null };
}

function transferred({ instructions }: Landed, from: string, to: string): bigint {
  return instructions
    .flatMap((instruction) => lamportTransferIn(instruction) ?? [])
    .filter((transfer) => transfer.from === from && transfer.to === to)
    .reduce((sum, { lamports }) => sum + lamports, 0n);
}
