import type { LaunchTerms } from '../../domain/launch-terms.ts';
import type { InstructionGroup } from '../exchange/exchange.ts';
import type { LaunchKeys } from '../keys/launch-keys.ts';
import { STANDARD_MINT_BYTES, standardMintInstructions } from '../tokens/standard-mint.ts';
import type { LaunchBuilder } from './bundle.ts';

const MINT_COMPUTE_UNITS = 90_000;

/** Second transaction of the bundle: the mint with its whole supply in the launch wallet and no authority left. */
export async function buildMint(
  builder: LaunchBuilder,
  terms: LaunchTerms,
  keys: LaunchKeys,
): Promise<InstructionGroup> {
  if (terms.fee.mode !== 'standard') throw new Error(`launch ${terms.quoteId}: mode ${terms.fee.mode} is not offered`);
  const instructions = standardMintInstructions({
    mint: keys.mint.publicKey,
    launchWallet: keys.wallet.publicKey,
    rentLamports: await builder.rentFor(STANDARD_MINT_BYTES),
  });
  return { instructions, signers: [], computeUnits: MINT_COMPUTE_UNITS, lookupAddresses: [] };
}
