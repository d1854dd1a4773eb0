import type { Rpc } from '../../chain/rpc/rpc.ts';
import type { TransactionSigner } from '../../chain/signers/signer.ts';

/** Network fees of a small transaction, with room to spare, in lamports. */
const OWN_FEE_LAMPORTS = 20_000n;

/** The platform wallet cannot pay: what it would sign would be sent for ever and never land. */
export class PlatformFundsError extends Error {
  constructor(wallet: string, held: bigint, needed: bigint) {
    super(`platform wallet ${wallet} holds ${held} lamports, ${needed} are needed: fund it`);
    this.name = 'PlatformFundsError';
  }
}

/** Throws a PlatformFundsError unless the platform wallet can pay for a transaction of its own and `lamports` beside it. */
export async function assertPlatformCanPay(
  { rpc, platform }: { readonly rpc: Pick<Rpc, 'connection'>; readonly platform: TransactionSigner },
  lamports = 0n,
): Promise<void> {
  const held = BigInt(await rpc.connection.getBalance(platform.publicKey, 'confirmed'));
  const needed = lamports + OWN_FEE_LAMPORTS;
  if (held < needed) throw new PlatformFundsError(platform.publicKey.toBase58(), held, needed);
}
