import { claimMemo } from '../../claim/claim-memo.ts';
import { sameBytes } from '../../solana/bytes.ts';
import { associatedAccount, associatedAccounts } from '../../solana/associated-account.ts';
import { memoText } from '../../solana/memo.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  RAYDIUM_LOCK_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  WRAPPED_SOL,
} from '../../solana/programs.ts';
import type { Chain } from '../chain.ts';
import { type Check, createChecks, Difference, mustEqual, type Outcome } from '../check.ts';
import { exactLamports, type Landed, type TokenChange } from '../landed.ts';
import { feeOf, readMint } from '../mint-account.ts';
import { succeededTransaction } from '../succeeded-transaction.ts';

const RULES = 'docs/verify.md';

export interface ClaimQuestion {
  readonly signature: string;
  readonly chain: Chain;
  readonly wallet?: string;
  /** Intent that its memo must name; default: any. */
  readonly intentId?: string;
  /** Programs that may collect; default: Raydium's, which locks the position. */
  readonly collectBy?: readonly string[];
}

export async function verifyClaim(question: ClaimQuestion): Promise<readonly Check[]> {
  const { chain } = question;
  const checks = createChecks();
  const claim = await checks.run('signed', () => readClaim(question));
  if (claim) {
    await checks.run('once', () => checkNonce(claim));
    await checks.run('purpose', () => checkPurpose(claim, question));
    await checks.run('proceeds', () => checkProceeds(chain, claim));
    await checks.run('lamports', () => checkLamports(claim));
  }
  return checks.done;
}

interface Claim extends Landed {
  readonly wallet: string;
}

async function readClaim({ chain, signature, wallet: asked }: ClaimQuestion): Promise<Outcome<Claim>> {
  const landed = await succeededTransaction(chain, signature, { failure: 'the claim failed', from: RULES });
  const [payer = 'nobody'] = landed.signers;
  const from = `${signature} on ${chain.name}`;
  if (asked !== undefined)
    mustEqual('the claim is of another wallet', { value: asked, from: 'the command line' }, { value: payer, from });
  return { how: `by ${payer}, slot ${landed.slot}`, value: { ...landed, wallet: payer } };
}

function docs(value: string) {
  return { value, from: RULES };
}

/** `SystemInstruction::AdvanceNonceAccount`: only its number, four bytes. */
const ADVANCE_NONCE = Uint8Array.of(4, 0, 0, 0);

function checkNonce({ instructions, signature, wallet }: Claim): Outcome<null> {
  const [first] = instructions;
  const authority = first?.accounts[2];
  const isAdvance = first?.program === SYSTEM_PROGRAM && sameBytes(first.data, ADVANCE_NONCE);
  const found = isAdvance && authority?.isSigner === true ? 'a nonce is advanced' : 'no nonce is advanced';
  mustEqual('the claim can land again', docs('a nonce is advanced'), { value: found, from: signature });
  const isOther = { value: authority?.address === wallet ? 'by the wallet' : 'by another key', from: signature };
  mustEqual('the wallet alone could have sent it', docs('by another key'), isOther);
  return { how: `the nonce ${first?.accounts[0]?.address} is advanced by ${authority?.address}`, value: null };
}

/** Programs beside the one that locks the position. */
const FRAME: readonly string[] = [SYSTEM_PROGRAM, COMPUTE_BUDGET_PROGRAM, MEMO_PROGRAM, ASSOCIATED_TOKEN_PROGRAM];

/** `claim/` and nine bytes in base64url. */
const CLAIM_MEMO = /^claim\/[\w-]{12}$/;

/** Requires that the transaction collects from a locked position and does nothing else. */
function checkPurpose(claim: Claim, { intentId, collectBy = [RAYDIUM_LOCK_PROGRAM] }: ClaimQuestion): Outcome<null> {
  const { instructions, signature: from, loaded } = claim;
  mustEqual('accounts come out of lookup tables', docs('0'), { value: String(loaded.length), from });
  const system = instructions.filter(({ program }) => program === SYSTEM_PROGRAM).length;
  mustEqual('it calls the system program again', docs('1'), { value: String(system), from });
  const programs = [...new Set(instructions.map(({ program }) => program))].filter((one) => !FRAME.includes(one));
  const isCollection = programs.length > 0 && programs.every((one) => collectBy.includes(one));
  const expected = docs(collectBy.join(' or '));
  if (!isCollection) throw new Difference('it calls other programs', expected, { value: programs.join(), from });
  const memos = instructions.filter(({ program }) => program === MEMO_PROGRAM);
  const memo = memos.map(memoText).join();
  if (!CLAIM_MEMO.test(memo)) throw new Difference('it names no claim', docs('claim/<hash>'), { value: memo, from });
  const asked = { value: intentId === undefined ? memo : claimMemo(intentId), from: 'the command line' };
  mustEqual('it is another claim', asked, { value: memo, from });
  return { how: `${memo}, collected by ${programs.join(' and ')}`, value: null };
}

/** Requires that the pool's tokens went to the wallet's own accounts, and that no other tokens moved. */
async function checkProceeds(chain: Chain, { tokens, wallet, signature: from }: Claim): Promise<Outcome<null>> {
  const moved = tokens.filter((change) => gainIn(change) !== 0n);
  const [gains, losses] = [moved.filter((one) => gainIn(one) > 0n), moved.filter((one) => gainIn(one) < 0n)];
  for (const { account, owner, mint } of gains) {
    const isOwn = owner === wallet && associatedAccounts(wallet, mint).includes(account);
    const found = { value: isOwn ? wallet : `${owner}, account ${account}`, from };
    mustEqual('another wallet was paid', { value: wallet, from: 'the fee payer' }, found);
  }
  const sources = new Set(losses.map(({ owner }) => owner));
  mustEqual('tokens left the wallet', docs('no'), { value: sources.has(wallet) ? 'yes' : 'no', from });
  mustEqual('tokens came from several owners', docs('1'), { value: String(sources.size), from });
  const mints = [...new Set(moved.map(({ mint }) => mint))];
  for (const mint of mints) await mustArrive(chain, { mint, moved, wallet, from });
  const sums = mints.map((mint) => `${sumIn(gains, mint)} of ${mint}`).join(', ');
  return { how: `${sums} from ${[...sources].join()} to the wallet`, value: null };
}

interface Arrival {
  readonly mint: string;
  readonly moved: readonly TokenChange[];
  readonly wallet: string;
  readonly from: string;
}

async function mustArrive(chain: Chain, { mint, moved, wallet, from }: Arrival): Promise<void> {
  const own = moved.filter((one) => one.mint === mint);
  const [gained, left] = [
    sumIn(
      own.filter((one) => gainIn(one) > 0n),
      mint,
    ),
    -sumIn(
      own.filter((one) => gainIn(one) < 0n),
      mint,
    ),
  ];
  if (gained === left) return;
  const isTaxed = own.some(
    ({ account }) => account === associatedAccount({ wallet, mint, program: TOKEN_2022_PROGRAM }),
  );
  const [state] = isTaxed ? await chain.accounts([mint]) : [];
  const fee = (state && readMint(state)?.transferFee) ?? null;
  const rates = fee ? [fee.older, fee.newer] : [];
  if (rates.some((rate) => gained === left - feeOf(left, rate))) return;
  const expected = { value: String(left), from: `what left in ${from}` };
  throw new Difference(`not all of ${mint} reached the wallet`, expected, { value: String(gained), from });
}

function gainIn({ before, after }: TokenChange): bigint {
  return (after ?? 0n) - (before ?? 0n);
}

function sumIn(changes: readonly TokenChange[], mint: string): bigint {
  return changes.filter((one) => one.mint === mint).reduce((sum, one) => sum + gainIn(one), 0n);
}

/** Returns the lamports of wrapped SOL that an account gained: they are its tokens. */
function wrappedIn(change: TokenChange): bigint {
  return change.mint === WRAPPED_SOL ? gainIn(change) : 0n;
}

function checkLamports(claim: Claim): Outcome<null> {
  const { wallet, tokens, signature: from } = claim;
  const lamports = exactLamports(claim);
  const fee = -[...lamports.values()].reduce((sum, change) => sum + change, 0n);
  const opened = tokens.filter(({ before, owner }) => before === null && owner === wallet);
  const rent = opened.reduce((sum, change) => sum + (lamports.get(change.account) ?? 0n) - wrappedIn(change), 0n);
  const paid = { value: String(-(lamports.get(wallet) ?? 0n)), from };
  const due = {
    value: String(fee + rent),
    from: `network fee ${fee} and rent ${rent} of ${opened.length} own accounts`,
  };
  mustEqual('the wallet paid something else', due, paid);
  return { how: `${fee} of network fee and ${rent} of rent for ${opened.length} accounts of the wallet`, value: null };
}
