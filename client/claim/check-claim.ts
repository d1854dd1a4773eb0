import { sameBytes } from '../solana/bytes.ts';
import { readIssued } from '../solana/issued.ts';
import type { Message } from '../solana/message.ts';
import { checkNetworkFee } from '../solana/network-fee.ts';
import { MEMO_PROGRAM, SYSTEM_PROGRAM } from '../solana/programs.ts';
import { mustHold } from '../solana/refusal.ts';
import { checkInstructions } from './check-instructions.ts';
import { claimAccounts } from './claim-accounts.ts';
import type { ClaimGround, ClaimQuote } from './claim-ground.ts';

/** `SystemInstruction::AdvanceNonceAccount`: its number alone, four bytes. */
const ADVANCE_NONCE = Uint8Array.of(4, 0, 0, 0);

/**
 * Checks a claim before the wallet signs: that the wallet pays it, that what it collects goes to the wallet's own token accounts, and
 * that it moves nothing else of the wallet. Answers the message to sign; throws a RefusedError that says what is wrong.
 */
export function checkClaim(ground: ClaimGround): Message {
  checkQuote(ground);
  const { message } = readIssued(ground.quote.transaction);
  mustHold(message.accounts[0]?.address === ground.wallet, `it is to be paid by ${message.accounts[0]?.address}`);
  const platform = checkNonce(message, ground);
  checkMemo(message, ground.quote);
  checkInstructions(message, { ...ground, platform, accounts: claimAccounts(message, ground) });
  checkNetworkFee(message, ground.maxNetworkFeeLamports);
  return message;
}

function checkQuote({ fees, quote, wallet }: ClaimGround): void {
  mustHold(quote.mint === fees.mint, `it claims the fees of ${quote.mint}, asked were those of ${fees.mint}`);
  mustHold(quote.creatorWallet === wallet, `it was prepared for ${quote.creatorWallet}`);
  mustHold(fees.claimable !== null, 'this coin has no fees to claim');
  const { base, quote: paired } = quote.amounts;
  mustHold(base.mint === fees.mint, `its base token is ${base.mint}`);
  mustHold(paired.mint === fees.claimable.quote.mint, `its quote token is ${paired.mint}`);
}

/** A claim begins with the advance of the launch's nonce, which the platform signs for: until then it cannot land. */
function checkNonce({ instructions }: Message, { wallet }: ClaimGround): string {
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
  const texts = memos.map(({ data }) => new TextDecoder().decode(data));
  mustHold(texts.length === 1 && texts[0] === `claim/${intentId}`, `its memos are ${JSON.stringify(texts)}`);
}
