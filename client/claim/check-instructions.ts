import type { Message } from '../solana/message.ts';
import { ASSOCIATED_TOKEN_PROGRAM, COMPUTE_BUDGET_PROGRAM, MEMO_PROGRAM, SYSTEM_PROGRAM } from '../solana/programs.ts';
import { mustHold } from '../solana/refusal.ts';
import type { CollectionContext } from './claim-context.ts';
import { RAYDIUM_COLLECTION } from './raydium-collection.ts';

/** Checked elsewhere: nonce, compute budget, memo, opening of the wallet's accounts. */
const FRAME: readonly string[] = [SYSTEM_PROGRAM, COMPUTE_BUDGET_PROGRAM, MEMO_PROGRAM, ASSOCIATED_TOKEN_PROGRAM];

export function checkInstructions(message: Message, ground: CollectionContext): void {
  const { programs, check } = ground.collection ?? RAYDIUM_COLLECTION;
  const collecting = message.instructions.filter(({ program }) => !FRAME.includes(program));
  const foreign = collecting.find(({ program }) => !programs.includes(program));
  mustHold(foreign === undefined, `it calls ${foreign?.program}`);
  checkSigners(message, [ground.wallet, ground.platform, ...check(collecting, ground)]);
}

function checkSigners({ accounts }: Message, known: readonly string[]): void {
  const stranger = accounts.find(({ isSigner, address }) => isSigner && !known.includes(address));
  mustHold(stranger === undefined, `it asks for the signature of ${stranger?.address}`);
}
