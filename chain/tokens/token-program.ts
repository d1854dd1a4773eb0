import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import type { PublicKey } from '@solana/web3.js';
import type { LaunchMode } from '../../domain/token-facts.ts';

/** Program of a launched coin's mint. */
export const TOKEN_PROGRAM_OF: Readonly<Record<LaunchMode, PublicKey>> = {
  standard: TOKEN_PROGRAM_ID,
  reward: TOKEN_2022_PROGRAM_ID,
};
