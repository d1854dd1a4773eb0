import { checkSignedPayment } from '../../chain/launch/check-payment.ts';
import { networkFeeOfMessage } from '../../chain/transactions/wallet-changes.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import type { ChainTransaction } from '../../db/schema/money.ts';
import { AppError } from '../../domain/errors.ts';
import type { LaunchDeps } from './deps.ts';

/**
 * Returns the lamports that the landed payment took from its creator, whose wallet may have raised the network fee, or
 * why they are unknown.
 *
 * @throws without a quorum that has the finalized payment
 */
export async function chargedLamports(
  { rpc }: { readonly rpc: Pick<LaunchDeps['rpc'], 'agreedTransaction'> },
  { terms }: Pick<LaunchRecord, 'terms'>,
  { signature }: Pick<ChainTransaction, 'signature'>,
): Promise<bigint | string> {
  const landed = await rpc.agreedTransaction(signature);
  if (!landed) throw new Error(`no quorum of RPC endpoints has the finalized payment ${signature} yet`);
  const { lamports, message } = terms.payment;
  try {
    const { transaction: paid } = checkSignedPayment(message, Buffer.from(landed.wire).toString('base64'));
    // The message bounds the fee, whatever endpoints report.
    const highest = networkFeeOfMessage(paid.message);
    return BigInt(lamports) + (landed.fee < highest ? landed.fee : highest);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `${signature} is another payment than the stored one: ${error.message}`;
  }
}
