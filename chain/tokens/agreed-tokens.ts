import { getTransferFeeConfig, type Mint, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { type AccountInfo, PublicKey } from '@solana/web3.js';
import type { TokenInfo } from '../exchange/exchange.ts';
import { agreedOn } from '../rpc/endpoints.ts';
import type { AccountTestimonies } from '../rpc/agreed-accounts.ts';
import { type FeeSchedule, feeSchedule, feeUntilLanded } from './transfer-fee.ts';
import { unpackTokenMint } from './unpack-mint.ts';

/** What a quorum's mints are read with. */
export interface AgreedTokensRpc {
  accountTestimonies(addresses: readonly string[], commitment: 'confirmed' | 'finalized'): Promise<AccountTestimonies>;
  agreedEpoch(): Promise<bigint>;
}

/** Reads mints as a quorum of endpoints has them. */
export interface AgreedTokenReader {
  /**
   * The same as `readTokens`, as a quorum of endpoints says it: where tokens lie, what amounts mean and what a transfer takes follow
   * from it, so that whatever is moved, planned or booked by a mint is read from here. A transfer fee is the most that it takes until what is
   * signed now has landed. A final mint of the Token program is asked for once: nobody can close it or change what is read of it.
   * @throws RpcUnavailableError when no quorum answers, or says the same of a mint.
   */
  read(mints: readonly PublicKey[]): Promise<(TokenInfo | null)[]>;
}

/** What a mint's account says that money is moved and booked by; its supply may differ from one endpoint to the next. */
interface MintFacts {
  readonly decimals: number;
  /** base58 */
  readonly tokenProgram: string;
  readonly fees: FeeSchedule | null;
}

/** Mints that are remembered; beyond that the one that was read first is forgotten. */
const MOST_KEPT = 10_000;

/** Nothing is read before it is asked for. */
export function createAgreedTokenReader(rpc: AgreedTokensRpc): AgreedTokenReader {
  const kept = new Map<string, MintFacts>();
  const keep = (mint: PublicKey, facts: MintFacts | null) => {
    if (facts?.tokenProgram !== TOKEN_PROGRAM_ID.toBase58()) return;
    kept.set(mint.toBase58(), facts);
    const oldest = kept.size > MOST_KEPT ? kept.keys().next().value : undefined;
    if (oldest !== undefined) kept.delete(oldest);
  };
  return {
    async read(mints) {
      // What is kept now may be forgotten while others are read.
      const before = new Map(mints.map((mint) => [mint.toBase58(), kept.get(mint.toBase58()) ?? null]));
      const unknown = mints.filter((mint) => before.get(mint.toBase58()) === null);
      const final = await agreedFacts(rpc, unknown, 'finalized');
      for (const [index, mint] of unknown.entries()) keep(mint, final[index] ?? null);
      const fresh = unknown.filter((_, index) => final[index] === null);
      const found = new Map(unknown.map((mint, index) => [mint.toBase58(), final[index] ?? null]));
      const confirmed = await agreedFacts(rpc, fresh, 'confirmed');
      for (const [index, mint] of fresh.entries()) found.set(mint.toBase58(), confirmed[index] ?? null);
      const all = mints.map((mint) => found.get(mint.toBase58()) ?? before.get(mint.toBase58()) ?? null);
      const isTaxed = all.some((facts) => facts !== null && facts.fees !== null);
      const epoch = isTaxed ? await rpc.agreedEpoch() : 0n;
      return mints.map((mint, index) => tokenOf(mint, all[index] ?? null, epoch));
    },
  };
}

async function agreedFacts(
  rpc: AgreedTokensRpc,
  mints: readonly PublicKey[],
  commitment: 'confirmed' | 'finalized',
): Promise<(MintFacts | null)[]> {
  if (mints.length === 0) return [];
  const addresses = mints.map((mint) => mint.toBase58());
  const said = await rpc.accountTestimonies(addresses, commitment);
  return mints.map((mint) => {
    const facts = said.agreed(mint.toBase58(), (account) => factsOf(mint, account));
    return agreedOn(facts, `mint ${mint.toBase58()}`);
  });
}

/**
 * What a transfer of a token takes until one that is signed now has landed, bps, as far as a quorum of endpoints sees any: one endpoint alone makes no token taxed.
 * @throws RpcUnavailableError when no quorum answers.
 */
export async function agreedTaxBps(rpc: AgreedTokensRpc, mint: PublicKey): Promise<number> {
  const address = mint.toBase58();
  const said = await rpc.accountTestimonies([address], 'confirmed');
  const feesOf = (account: AccountInfo<Buffer> | null) => factsOf(mint, account)?.fees ?? null;
  if (said.agreedReason(address, feesOf) === null) return 0;
  const epoch = await rpc.agreedEpoch();
  return said.agreedReason(address, (account) => taxAt(feesOf(account), epoch)) ?? 0;
}

function taxAt(fees: FeeSchedule | null, epoch: bigint): number | null {
  const bps = fees ? feeUntilLanded(fees, epoch).bps : 0;
  return bps > 0 ? bps : null;
}

function factsOf(address: PublicKey, account: AccountInfo<Buffer> | null): MintFacts | null {
  const unpacked = unpackTokenMint(address, account);
  if (!unpacked) return null;
  const { mint, tokenProgram } = unpacked;
  return { decimals: mint.decimals, tokenProgram: tokenProgram.toBase58(), fees: schedule(mint) };
}

function schedule(mint: Mint): FeeSchedule | null {
  const config = getTransferFeeConfig(mint);
  return config && feeSchedule(config);
}

function tokenOf(mint: PublicKey, facts: MintFacts | null, epoch: bigint): TokenInfo | null {
  if (!facts) return null;
  const { decimals, tokenProgram, fees } = facts;
  return {
    mint,
    decimals,
    tokenProgram: new PublicKey(tokenProgram),
    ...(fees && { transferFee: feeUntilLanded(fees, epoch) }),
  };
}
