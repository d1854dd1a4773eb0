import type { PublicKey } from '@solana/web3.js';
import type { Rpc } from '../../chain/rpc/rpc.ts';

/** Network fees of one transaction with priority fee and tip, with room to spare, in lamports. */
const OWN_FEE_LAMPORTS = 20_000n;

/** A wallet cannot pay: what it would sign would be sent for ever and never land. */
export class FundsError extends Error {
  constructor(wallet: string, held: bigint, needed: bigint) {
    super(`wallet ${wallet} holds ${held} lamports, ${needed} are needed: fund it`);
    this.name = 'FundsError';
  }
}

/** Throws a FundsError where a quorum says that a wallet cannot pay for a transaction and `lamports` beside it. `hint` = what one endpoint sees there. */
export async function assertCanPay(
  rpc: Pick<Rpc, 'mostLamports'>,
  payer: PublicKey,
  lamports: bigint,
  hint: bigint,
): Promise<void> {
  const needed = lamports + OWN_FEE_LAMPORTS;
  if (hint >= needed) return;
  const held = await rpc.mostLamports(payer.toBase58());
  if (held < needed) throw new FundsError(payer.toBase58(), held, needed);
}
