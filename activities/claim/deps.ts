import type { Exchange } from '../../chain/exchange/exchange.ts';
import type { TransactionSigner } from '../../chain/signers/signer.ts';
import type { FollowSettings, MoneyDeps } from '../money/deps.ts';

/** How claims are followed and paid for. */
export interface ClaimSettings extends FollowSettings {
  /** A relayed claim that has not landed for so long is killed by its nonce, in ms. */
  readonly killAfterMs: number;
  /** Priority fee of the platform's own transactions on nonces, in micro-lamports per compute unit. */
  readonly computeUnitPrice: bigint;
}

/** Everything the steps of a claim use from outside. */
export interface ClaimDeps extends MoneyDeps {
  readonly exchange: Exchange;
  /** Authority of every nonce; pays for making and killing. It signs a claim, but never pays for one. */
  readonly platform: TransactionSigner;
  readonly settings: ClaimSettings;
}

/** Fees of a transaction on a nonce account, or of another small one, with room to spare, in lamports. */
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
  { rpc, platform }: Pick<ClaimDeps, 'rpc' | 'platform'>,
  lamports = 0n,
): Promise<void> {
  const held = BigInt(await rpc.connection.getBalance(platform.publicKey, 'confirmed'));
  const needed = lamports + OWN_FEE_LAMPORTS;
  if (held < needed) throw new PlatformFundsError(platform.publicKey.toBase58(), held, needed);
}
