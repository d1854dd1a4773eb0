import type { Connection } from '@solana/web3.js';
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
  /** The same exchange, read through another connection: one endpoint's alone. */
  readonly exchangeAt: (connection: Connection) => Exchange;
  /** Authority of every nonce; pays for making and killing. It signs a claim, but never pays for one. */
  readonly platform: TransactionSigner;
  readonly settings: ClaimSettings;
}
