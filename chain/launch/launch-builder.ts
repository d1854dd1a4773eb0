import type { PublicKey } from '@solana/web3.js';
import type { Exchange, InstructionGroup } from '../exchange/exchange.ts';
import type { TransactionSigner } from '../signers/signer.ts';
import type { ReadLookupTables } from '../transactions/lookup-table.ts';
import type { PlatformWallets } from './pool-request.ts';

/** What building a bundle needs besides its terms. */
export interface LaunchBuilder {
  readonly exchange: Exchange;
  readonly wallets: PlatformWallets;
  /** Pays the fees of refunds and of emptying launch wallets. */
  readonly platform: TransactionSigner;
  /** Holds the quote tokens of dev buys and makes up what a refund is short of. */
  readonly treasury: TransactionSigner;
  /** Whether the cluster has the Metaplex program, which keeps a standard mint's name, symbol and URI. */
  hasMetadataProgram(): Promise<boolean>;
  /** Lamports that make an account of so many bytes rent-exempt. */
  rentFor(bytes: number): Promise<bigint>;
  /** Tables that spell out what every launch names; without tip accounts. None where the exchange does without. */
  readonly lookupTables: ReadLookupTables;
}

/** Instructions of one transaction of a launch; signers of the platform's own may be among those of the exchange. */
export interface LaunchGroup extends Omit<InstructionGroup, 'signers'> {
  readonly signers: readonly TransactionSigner[];
}

/** What may change from try to try: blockhash, tip, priority fee, and what strangers did to the mint's address. */
export interface BundleFees {
  readonly blockhash: string;
  readonly tipAccount: PublicKey;
  readonly tipLamports: bigint;
  /** micro-lamports per compute unit */
  readonly computeUnitPrice: bigint;
  /** Whether lamports may lie at the mint's address before it exists; default false. */
  readonly mintMayHoldLamports?: boolean;
}
