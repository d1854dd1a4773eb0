import { getTransferFeeConfig, type Mint, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { type AccountInfo, PublicKey } from '@solana/web3.js';
import { agreedOn } from '../rpc/endpoints.ts';
import type { AccountsByEndpoint } from '../rpc/agreed-accounts.ts';
import { shownAmountsProblem } from './shown-amounts.ts';
import { type FeeSchedule, feeSchedule, feeUntilLanded } from './transfer-fee.ts';
import { unpackTokenMint } from './unpack-mint.ts';
import type { TokenInfo } from './token.ts';

export interface AgreedTokensRpc {
  accountsByEndpoint(
    addresses: readonly string[],
    commitment: 'confirmed' | 'finalized',
  ): Promise<Pick<AccountsByEndpoint, 'agreed'>>;
  agreedEpoch(): Promise<bigint>;
}

export interface AgreedTokenReader {
  /**
   * Reads tokens by a quorum: for all money moved, planned or booked, because addresses, decimals and transfer fees
   * follow. A transfer fee is the maximum until a transaction signed now has landed. Token program mints are cached:
   * what is read never changes.
   *
   * @throws RpcUnavailableError without a quorum
   */
  read(mints: readonly PublicKey[]): Promise<(TokenInfo | null)[]>;
}

/** Facts of a mint without the supply, which may differ between endpoints. */
interface MintFacts {
  readonly decimals: number;
  /** base58 */
  readonly tokenProgram: string;
  readonly fees: FeeSchedule | null;
  readonly unitProblem: string | null;
}

/** The oldest is evicted. */
const MOST_KEPT = 10_000;

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
      // First: other reads may evict cached mints.
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
  const said = await rpc.accountsByEndpoint(addresses, commitment);
  return mints.map((mint) => {
    const facts = said.agreed(mint.toBase58(), (account) => factsOf(mint, account));
    return agreedOn(facts, `mint ${mint.toBase58()}`);
  });
}

/**
 * Returns the maximum fee until a transaction signed now has landed, bps. One endpoint alone makes no token taxed, nor
 * less taxed.
 * @throws RpcUnavailableError if no quorum responds, or agrees.
 */
export async function agreedTaxBps(rpc: AgreedTokensRpc, mint: PublicKey): Promise<number> {
  const address = mint.toBase58();
  const said = await rpc.accountsByEndpoint([address], 'confirmed');
  const read = said.agreed(address, (account) => factsOf(mint, account)?.fees ?? null);
  const fees = agreedOn(read, `the tax of ${address}`);
  return fees === null ? 0 : feeUntilLanded(fees, await rpc.agreedEpoch()).bps;
}

function factsOf(address: PublicKey, account: AccountInfo<Buffer> | null): MintFacts | null {
  const unpacked = unpackTokenMint(address, account);
  if (!unpacked) return null;
  const { mint, tokenProgram } = unpacked;
  return {
    decimals: mint.decimals,
    tokenProgram: tokenProgram.toBase58(),
    fees: schedule(mint),
    unitProblem: shownAmountsProblem(mint),
  };
}

function schedule(mint: Mint): FeeSchedule | null {
  const config = getTransferFeeConfig(mint);
  return config && feeSchedule(config);
}

function tokenOf(mint: PublicKey, facts: MintFacts | null, epoch: bigint): TokenInfo | null {
  if (!facts) return null;
  const { decimals, tokenProgram, fees, unitProblem } = facts;
  return {
    mint,
    decimals,
    tokenProgram: new PublicKey(tokenProgram),
    ...(fees && { transferFee: feeUntilLanded(fees, epoch) }),
    ...(unitProblem !== null && { unitProblem }),
  };
}
