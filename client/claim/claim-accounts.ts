import { sameBytes } from '../solana/bytes.ts';
import type { Instruction, Message } from '../solana/message.ts';
import { associatedAccounts } from '../solana/associated-account.ts';
import { ASSOCIATED_TOKEN_PROGRAM, isTokenProgram } from '../solana/programs.ts';
import { mustHold } from '../solana/refusal.ts';
import type { ClaimAccounts, ClaimContext } from './claim-context.ts';

/** `AssociatedTokenAccountInstruction::CreateIdempotent`. */
const CREATE_IDEMPOTENT = Uint8Array.of(1);

/**
 * Finds the associated accounts of both tokens, derived from wallet and mint. A claim may open only these, each once.
 */
export function claimAccounts({ instructions }: Message, { quote, wallet }: ClaimContext): ClaimAccounts {
  const { base, quote: paired } = quote.amounts;
  const accounts = { base: associatedAccounts(wallet, base.mint), quote: associatedAccounts(wallet, paired.mint) };
  const opened = instructions
    .filter(({ program }) => program === ASSOCIATED_TOKEN_PROGRAM)
    .map((instruction) => openedAccount(instruction, wallet));
  const own = new Map([
    [base.mint, accounts.base],
    [paired.mint, accounts.quote],
  ]);
  const stranger = opened.find(({ account, mint }) => own.get(mint)?.includes(account) !== true);
  mustHold(stranger === undefined, `it opens an account of ${stranger?.mint}, which it does not claim`);
  const isOnce = new Set(opened.map(({ mint }) => mint)).size === opened.length;
  mustHold(isOnce, `it opens ${opened.length} token accounts at the wallet’s expense, one of them twice`);
  return accounts;
}

function openedAccount({ data, accounts }: Instruction, wallet: string): { account: string; mint: string } {
  const [payer, account, owner, mint, , tokenProgram] = accounts.map(({ address }) => address);
  mustHold(sameBytes(data, CREATE_IDEMPOTENT), 'it asks for something else of a token account than to open it');
  mustHold(payer === wallet && owner === wallet, `it opens a token account for ${owner} at the expense of ${payer}`);
  mustHold(isTokenProgram(tokenProgram), `${tokenProgram} is no token program`);
  mustHold(account !== undefined && mint !== undefined, 'it opens a token account of no mint');
  return { account, mint };
}
