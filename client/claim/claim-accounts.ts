import { sameBytes } from '../solana/bytes.ts';
import type { Instruction, Message } from '../solana/message.ts';
import { ASSOCIATED_TOKEN_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../solana/programs.ts';
import { mustHold } from '../solana/refusal.ts';
import type { ClaimAccounts, ClaimGround } from './claim-ground.ts';

/** `AssociatedTokenAccountInstruction::CreateIdempotent`. */
const CREATE_IDEMPOTENT = Uint8Array.of(1);

/**
 * The wallet's associated accounts of both tokens, as the claim opens them. The associated token program fails where an address is
 * not the one that follows from owner and mint, so what it is asked to open for the wallet is the wallet's.
 */
export function claimAccounts({ instructions }: Message, { quote, wallet }: ClaimGround): ClaimAccounts {
  const opened = instructions
    .filter(({ program }) => program === ASSOCIATED_TOKEN_PROGRAM)
    .map((instruction) => openedAccount(instruction, wallet));
  const { base, quote: paired } = quote.amounts;
  mustHold(opened.length === 2, `it opens ${opened.length} token accounts at the wallet’s expense, a claim needs two`);
  const accountOf = (mint: string): string => {
    const account = opened.find((each) => each.mint === mint)?.account;
    mustHold(account !== undefined, `it does not open the wallet’s account of ${mint}`);
    return account;
  };
  return { base: accountOf(base.mint), quote: accountOf(paired.mint) };
}

function openedAccount({ data, accounts }: Instruction, wallet: string): { account: string; mint: string } {
  const [payer, account, owner, mint, , tokenProgram] = accounts.map(({ address }) => address);
  mustHold(sameBytes(data, CREATE_IDEMPOTENT), 'it asks for something else of a token account than to open it');
  mustHold(payer === wallet && owner === wallet, `it opens a token account for ${owner} at the expense of ${payer}`);
  mustHold(
    tokenProgram === TOKEN_PROGRAM || tokenProgram === TOKEN_2022_PROGRAM,
    `${tokenProgram} is no token program`,
  );
  mustHold(account !== undefined && mint !== undefined, 'it opens a token account of no mint');
  return { account, mint };
}
