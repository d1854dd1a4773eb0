import { getTransferFeeConfig, type Mint } from '@solana/spl-token';
import { type AccountInfo, PublicKey } from '@solana/web3.js';
import type { TokenInfo } from '../exchange/exchange.ts';
import { agreedOn } from '../rpc/endpoints.ts';
import type { Rpc } from '../rpc/rpc.ts';
import { type FeeSchedule, feeSchedule, feeUntilLanded } from './transfer-fee.ts';
import { unpackTokenMint } from './unpack-mint.ts';

/** What a quorum's mints are read with. */
export type AgreedTokensRpc = Pick<Rpc, 'accountTestimonies' | 'agreedEpoch'>;

/** What a mint's account says that money is moved and booked by; its supply may differ from one endpoint to the next. */
interface MintFacts {
  readonly decimals: number;
  /** base58 */
  readonly tokenProgram: string;
  readonly fees: FeeSchedule | null;
}

/**
 * The same as `readTokens`, as a quorum of endpoints says it: where tokens lie, what amounts mean and what a transfer takes follow
 * from it, so that whatever is moved, planned or booked by a mint is read from here. A transfer fee is the most that it takes until what is
 * signed now has landed.
 * @throws RpcUnavailableError when no quorum answers, or says the same of a mint.
 */
export async function agreedTokens(rpc: AgreedTokensRpc, mints: readonly PublicKey[]): Promise<(TokenInfo | null)[]> {
  const said = await rpc.accountTestimonies(
    mints.map((mint) => mint.toBase58()),
    'confirmed',
  );
  const found = mints.map((mint) => {
    const facts = said.agreed(mint.toBase58(), (account) => factsOf(mint, account));
    return agreedOn(facts, `mint ${mint.toBase58()}`);
  });
  const isTaxed = found.some((facts) => facts !== null && facts.fees !== null);
  const epoch = isTaxed ? await rpc.agreedEpoch() : 0n;
  return mints.map((mint, index) => tokenOf(mint, found[index] ?? null, epoch));
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
