import type { Message } from '../solana/message.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  RAYDIUM_LOCK_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../solana/programs.ts';
import { mustHold } from '../solana/refusal.ts';
import type { CollectionGround } from './claim-ground.ts';
import { checkRaydiumCollection } from './raydium-collection.ts';
import { checkStandInCollection } from './stand-in-collection.ts';

/** Programs of a claim's frame, which are checked elsewhere: nonce, compute budget, memo, opening of the wallet's accounts. */
const FRAME: readonly string[] = [SYSTEM_PROGRAM, COMPUTE_BUDGET_PROGRAM, MEMO_PROGRAM, ASSOCIATED_TOKEN_PROGRAM];
const TOKEN_PROGRAMS: readonly string[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM];

/** Refuses a claim unless all that it does beside its frame is to collect the wallet's fees, signed by whom that needs. */
export function checkInstructions(message: Message, ground: CollectionGround): void {
  const collecting = message.instructions.filter(({ program }) => !FRAME.includes(program));
  const isStandIn = ground.allowsStandIn && collecting.some(({ program }) => TOKEN_PROGRAMS.includes(program));
  const programs = isStandIn ? TOKEN_PROGRAMS : [RAYDIUM_LOCK_PROGRAM];
  const foreign = collecting.find(({ program }) => !programs.includes(program));
  mustHold(foreign === undefined, `it calls ${foreign?.program}`);
  const collect = isStandIn ? checkStandInCollection : checkRaydiumCollection;
  checkSigners(message, [ground.wallet, ground.platform, ...collect(collecting, ground)]);
}

/** The wallet, the platform, and on the stand-in the keys of its pool: whoever else has to sign is a stranger. */
function checkSigners({ accounts }: Message, known: readonly string[]): void {
  const stranger = accounts.find(({ isSigner, address }) => isSigner && !known.includes(address));
  mustHold(stranger === undefined, `it asks for the signature of ${stranger?.address}`);
}
