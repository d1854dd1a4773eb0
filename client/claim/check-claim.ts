import { isAddress, sameBytes } from '../solana/bytes.ts';
import { readIssued } from '../solana/issued.ts';
import { memoText } from '../solana/memo.ts';
import type { Message } from '../solana/message.ts';
import { checkNetworkFee } from '../solana/network-fee.ts';
import { MEMO_PROGRAM, SYSTEM_PROGRAM } from '../solana/programs.ts';
import { mustHold } from '../solana/refusal.ts';
import { checkInstructions } from './check-instructions.ts';
import { claimAccounts } from './claim-accounts.ts';
import type { ClaimContext, ClaimQuote } from './claim-context.ts';
import { claimMemo } from './claim-memo.ts';

/** Its number, four bytes. */
const ADVANCE_NONCE = Uint8Array.of(4, 0, 0, 0);

/**
 * Checks before the wallet signs: it pays, the proceeds go to its own token accounts, nothing else of it moves. Returns
 * the message to sign. Throws a RefusedError with the reason.
 */
export function checkClaim(ground: ClaimContext): Message {
  checkQuote(ground);
  const { message } = readIssued(ground.quote.transaction);
  mustHold(message.accounts[0]?.address === ground.wallet, `it is to be paid by ${message.accounts[0]?.address}`);
  const platform = checkNonce(message, ground);
  checkMemo(message, ground.quote);
  checkInstructions(message, { ...ground, platform, accounts: claimAccounts(message, ground) });
  checkNetworkFee(message, ground.maxNetworkFeeLamports);
  return message;
}

function checkQuote({ fees, quote, wallet, quoteMint }: ClaimContext): void {
  mustHold(quote.mint === fees.mint, `it claims the fees of ${quote.mint}, asked were those of ${fees.mint}`);
  mustHold(quote.creatorWallet === wallet, `it was prepared for ${quote.creatorWallet}`);
  mustHold(fees.claimable !== null, 'this coin has no fees to claim');
  const { base, quote: paired } = quote.amounts;
  mustHold(base.mint === fees.mint, `its base token is ${base.mint}`);
  mustHold(paired.mint === (quoteMint ?? fees.claimable.quote.mint), `its quote token is ${paired.mint}`);
  [base, paired].forEach(checkAmount);
  const { base: baseBefore, quote: pairedBefore } = fees.claimable;
  const isSameUnit = base.decimals === baseBefore.decimals && paired.decimals === pairedBefore.decimals;
  mustHold(isSameUnit, 'its tokens have other decimals than before');
  mustHold(!Number.isNaN(Date.parse(quote.expiresAt)), 'its end is no moment');
}

/** The figures shown to the user agree, and none can be misread. */
function checkAmount({ mint, symbol, decimals, amountRaw, amountTokens }: ClaimQuote['amounts']['base']): void {
  mustHold(isAddress(mint), 'it names a token without an address');
  mustHold(!/[\p{Cc}\p{Cf}]/u.test(symbol), `its symbol is ${JSON.stringify(symbol)}`);
  mustHold(/^\d{1,20}$/.test(amountRaw) && decimals >= 0 && decimals <= 18, `it announces ${amountRaw} raw units`);
  const tokens = Number(amountRaw) / 10 ** decimals;
  mustHold(Math.abs(amountTokens - tokens) <= tokens * 1e-9, `it announces ${amountTokens} tokens for ${amountRaw}`);
}

/** A claim begins with the advance of the launch's nonce, which the platform must sign: it cannot land before. */
function checkNonce({ instructions }: Message, { wallet }: ClaimContext): string {
  const [first, ...others] = instructions;
  const isAdvance = first?.program === SYSTEM_PROGRAM && sameBytes(first.data, ADVANCE_NONCE);
  mustHold(isAdvance, 'it does not begin with the advance of a nonce');
  mustHold(!others.some(({ program }) => program === SYSTEM_PROGRAM), 'it calls the system program a second time');
  const platform = first.accounts[2];
  mustHold(platform?.isSigner === true && platform.address !== wallet, 'its nonce is not advanced by the platform');
  mustHold(!first.accounts.some(({ address }) => address === wallet), 'it advances a nonce of the wallet’s own');
  return platform.address;
}

function checkMemo({ instructions }: Message, { intentId }: ClaimQuote): void {
  const memos = instructions.filter(({ program }) => program === MEMO_PROGRAM);
  mustHold(
    memos.every(({ accounts }) => accounts.length === 0),
    'a memo of it asks for a signature',
  );
  const texts = memos.map(memoText);
  mustHold(texts.length === 1 && texts[0] === claimMemo(intentId), `its memos are ${JSON.stringify(texts)}`);
}
