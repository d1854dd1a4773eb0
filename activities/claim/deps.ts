import type { Connection } from '@solana/web3.js';
import type { Exchange } from '../../chain/exchange/exchange.ts';
import type { TransactionSigner } from '../../chain/signers/signer.ts';
import type { FollowSettings, MoneyDeps } from '../money/deps.ts';

export interface ClaimSettings extends FollowSettings {
  /** ms; then an unlanded claim is ended by advancing its nonce. */
  readonly killAfterMs: number;
  /** Of the platform's nonce transactions, in micro-lamports per compute unit. */
  readonly computeUnitPrice: bigint;
}

export interface ClaimDeps extends MoneyDeps {
  readonly exchange: Exchange;
  readonly exchangeAt: (connection: Connection) => Exchange;
  /** Authority of every nonce; pays for nonces, never for a claim. */
  readonly platform: TransactionSigner;
  readonly settings: ClaimSettings;
}
