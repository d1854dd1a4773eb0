import type { PublicKey } from '@solana/web3.js';
import type { Rpc } from '../../chain/rpc/rpc.ts';

/** Lamports for fees, generous, with priority fee and tip. */
const OWN_FEE_LAMPORTS = 20_000n;

/** Its transactions would be resent for ever and never land. */
export class FundsError extends Error {
  constructor(wallet: string, held: bigint, needed: bigint) {
    super(`wallet ${wallet} holds ${held} lamports, ${needed} are needed: fund it`);
    this.name = 'FundsError';
  }
}

/** Throws a FundsError if a quorum says so. `hint` is one endpoint's balance. */
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
