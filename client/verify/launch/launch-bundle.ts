import { lamportTransferIn } from '../../solana/lamport-transfer.ts';
import { memoText } from '../../solana/memo.ts';
import { MEMO_PROGRAM, SYSTEM_PROGRAM } from '../../solana/programs.ts';
import type { Chain } from '../chain.ts';
import { Difference, mustEqual, NotProvable, type Outcome } from '../check.ts';
import { listedTransaction } from '../listed-transaction.ts';
import { exactLamports, type Landed } from '../landed.ts';
import { succeededTransaction } from '../succeeded-transaction.ts';

export interface LaunchBundle {
  readonly quoteId: string;
  readonly creator: string;
  readonly launchWallet: string;
  /** Wallets that the creator named to get the fees; a payment of the platform names one at most. */
  readonly feeRecipients: readonly string[];
  /** Lamports that the creator paid beside the network fee. */
  readonly lamports: bigint;
  readonly payment: Landed;
  readonly mint: Landed;
  readonly pool: Landed;
  readonly locks: Landed;
}

const FEES_MEMO = /^fees\/([1-9A-HJ-NP-Za-km-z]{32,44})$/;
const PAYMENT_MEMO = /^launch\/([0-9a-f-]{36})\/1$/;

const SUCCESS = { failure: 'a transaction of the launch failed', from: 'docs/verify.md' };

/** Reads the payment and the three transactions behind it in its block. */
export async function readBundle(chain: Chain, signature: string): Promise<Outcome<LaunchBundle>> {
  const payment = await succeededTransaction(chain, signature, SUCCESS);
  const { signatures } = await chain.block(payment.slot);
  const at = signatures.indexOf(signature);
  const from = `block ${payment.slot}, ${chain.name}`;
  if (at < 0)
    throw new Difference(
      'the payment is not in its block',
      { value: signature, from: chain.name },
      { value: 'not in the list', from },
    );
  const { value } = await bundleOf(chain, payment, { signatures: signatures.slice(at + 1), from, isGuess: true });
  const { creator, lamports, quoteId } = value;
  return {
    how: `${creator} paid ${lamports} lamports for quote ${quoteId}; mint, pool and locks follow in slot ${payment.slot}`,
    value,
  };
}

/** Reads the four transactions that a statement names. Those of a resumed launch are in several blocks. */
export async function readStated(
  chain: Chain,
  [first = '', ...signatures]: readonly string[],
  from: string,
): Promise<Outcome<LaunchBundle>> {
  return bundleOf(chain, await succeededTransaction(chain, first, SUCCESS), { signatures, from });
}

/** Signatures of mint, pool and locks, and the source that names them. */
interface Rest {
  readonly signatures: readonly string[];
  readonly from: string;
  /** They are those behind the payment in its block: those of a resumed launch are in other blocks. */
  readonly isGuess?: true;
}

async function bundleOf(chain: Chain, payment: Landed, rest: Rest): Promise<Outcome<LaunchBundle>> {
  const { signatures, from, isGuess } = rest;
  const { signature } = payment;
  const { quoteId, launchWallet } = memoOf(payment);
  const { lamports, creator } = paymentOf(payment, launchWallet);
  const [mint, pool, locks] = await Promise.all(
    [2, 3, 4].map((step) => stepOf(chain, signatures[step - 2], { step, quoteId, isGuess })),
  );
  if (isGuess && !(mint && pool && locks)) throw resumed(quoteId);
  if (!mint || !pool || !locks)
    throw new Difference(
      'the launch is not whole',
      { value: '4 transactions', from: 'docs/verify.md' },
      { value: 'fewer', from },
    );
  for (const { signers, signature: of } of [mint, pool, locks])
    mustEqual(
      'another wallet launched',
      { value: launchWallet, from: signature },
      { value: signers[0] ?? 'nobody', from: of },
    );
  const feeRecipients = feeRecipientsOf(payment);
  const value = { quoteId, creator, launchWallet, feeRecipients, lamports, payment, mint, pool, locks };
  return { how: `${creator} paid ${lamports} lamports for quote ${quoteId}; mint, pool and locks landed`, value };
}

function memoOf(payment: Landed): { readonly quoteId: string; readonly launchWallet: string } {
  const memos = payment.instructions.filter(({ program }) => program === MEMO_PROGRAM);
  // A wallet may add a memo, and the creator may have named who gets the fees.
  const [memo, ...more] = memos.filter((one) => memoText(one).startsWith('launch/'));
  const text = memo ? memoText(memo) : 'none';
  const quoteId = PAYMENT_MEMO.exec(text)?.[1];
  const [wallet] = memo?.accounts ?? [];
  const expected = { value: 'launch/<quote>/1, signed by the launch wallet', from: 'docs/verify.md' };
  if (quoteId === undefined || wallet?.isSigner !== true || more.length > 0)
    throw new Difference('it is not the payment of a launch', expected, { value: text, from: payment.signature });
  return { quoteId, launchWallet: wallet.address };
}

/** The payment is the creator's: so are its memos. */
function feeRecipientsOf({ instructions }: Landed): string[] {
  const memos = instructions.filter(({ program }) => program === MEMO_PROGRAM).map(memoText);
  return memos.flatMap((text) => FEES_MEMO.exec(text)?.[1] ?? []);
}

function paymentOf(payment: Landed, launchWallet: string) {
  const { instructions, signers, signature: from } = payment;
  const lamports = exactLamports(payment);
  const transfers = instructions.filter(({ program }) => program === SYSTEM_PROGRAM).map(lamportTransferIn);
  const [transfer, ...others] = transfers;
  const [creator = 'nobody'] = signers;
  const isOne = transfer?.from === creator && transfer.to === launchWallet && others.length === 0;
  const expected = { value: `one transfer from ${creator} to ${launchWallet}`, from: 'docs/verify.md' };
  if (!transfer || !isOne)
    throw new Difference('the payment moves something else', expected, {
      value: `${transfers.length} transfers`,
      from,
    });
  const fee = -[...lamports.values()].reduce((sum, change) => sum + change, 0n);
  const due = { value: String(transfer.lamports + fee), from: `its transfer, and ${fee} of network fee` };
  mustEqual('the creator paid something else', due, { value: String(-(lamports.get(creator) ?? 0n)), from });
  return { lamports: transfer.lamports, creator };
}

interface Step {
  readonly step: number;
  readonly quoteId: string;
  readonly isGuess: true | undefined;
}

/** An honest launch can look like that: a bundle that landed in part is continued one by one. */
function resumed(quoteId: string): NotProvable {
  return new NotProvable(
    `mint, pool and locks of quote ${quoteId} do not follow the payment in its block: a launch that was resumed is in several, and its receipt names them (verify receipt)`,
  );
}

function outcomeOf({ hasFailed, signature: from }: Landed) {
  return { value: hasFailed ? 'failed' : 'succeeded', from };
}

async function stepOf(
  chain: Chain,
  signature: string | undefined,
  { step, quoteId, isGuess }: Step,
): Promise<Landed | null> {
  if (signature === undefined) return null;
  const landed = isGuess
    ? await listedTransaction(chain, signature)
    : await succeededTransaction(chain, signature, SUCCESS);
  const memos = landed.instructions.filter(({ program }) => program === MEMO_PROGRAM);
  // An exchange may have memos of its own.
  const named = memos.map(memoText).filter((text) => text.startsWith('launch/'));
  const found = { value: named.join(), from: signature };
  if (isGuess && found.value !== `launch/${quoteId}/${step}`) throw resumed(quoteId);
  mustEqual(SUCCESS.failure, { value: 'succeeded', from: SUCCESS.from }, outcomeOf(landed));
  mustEqual(
    'another transaction stands between those of the launch',
    { value: `launch/${quoteId}/${step}`, from: 'its place in the block' },
    found,
  );
  return landed;
}
