import { Difference, type Found } from './check.ts';
import { exactLamports, type Landed } from './landed.ts';

export interface Repaid {
  readonly payment: Landed;
  readonly refund: Landed;
  readonly creator: string;
  readonly launchWallet: string | undefined;
}

/** Lamports. */
export interface PaidBack {
  readonly cost: bigint;
  readonly back: bigint;
}

/**
 * Requires that the creator got back all that the payment cost, in a transaction that the launch wallet signed. Without
 * that signature any payment to the creator would pass as the refund.
 *
 * @param stated the signer that it must have, and where that comes from
 */
export function mustBePaidBack({ payment, refund, creator, launchWallet }: Repaid, stated: Found): PaidBack {
  const { signers, signature } = refund;
  if (launchWallet === undefined || !signers.includes(launchWallet)) {
    const found = { value: `signed by ${signers.join(', ')}`, from: signature };
    throw new Difference('the refund is of another launch', stated, found);
  }
  const [cost, back] = [-(exactLamports(payment).get(creator) ?? 0n), exactLamports(refund).get(creator) ?? 0n];
  if (back < cost) {
    const paid = { value: `${cost} lamports`, from: payment.signature };
    throw new Difference('less was given back than was paid', paid, { value: `${back} lamports`, from: signature });
  }
  return { cost, back };
}
