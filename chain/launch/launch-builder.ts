import type { PublicKey } from '@solana/web3.js';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import type { Exchange, InstructionGroup } from '../exchange/exchange.ts';
import type { TransactionSigner } from '../signers/signer.ts';
import type { ReadLookupTables } from '../transactions/lookup-table.ts';
import type { PlatformWallets } from './pool-request.ts';

export interface LaunchBuilder {
  readonly exchange: Exchange;
  readonly wallets: PlatformWallets;
  /** Pays for refunds and emptying. */
  readonly platform: TransactionSigner;
  /** Quote tokens of dev buys; covers a refund's shortfall. */
  readonly treasury: TransactionSigner;
  /** Stores a standard mint's name, symbol and URI. */
  hasMetadataProgram(): Promise<boolean>;
  rentFor(bytes: number): Promise<bigint>;
  /** Key of a launch's terms in the permanent store. */
  termsKey(terms: LaunchTerms): Promise<string>;
  /** Without tip accounts; empty if the exchange needs none. */
  readonly lookupTables: ReadLookupTables;
}

export interface LaunchGroup extends Omit<InstructionGroup, 'signers'> {
  readonly signers: readonly TransactionSigner[];
}

export interface BundleFees {
  readonly blockhash: string;
  readonly tipAccount: PublicKey;
  readonly tipLamports: bigint;
  readonly computeUnitPrice: bigint;
  /** A stranger may have sent lamports to the mint's address; default false. */
  readonly mintMayHoldLamports?: boolean;
}
