import {
  ComputeBudgetInstruction,
  ComputeBudgetProgram,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { networkFeeOfMessage } from '../../chain/transactions/wallet-changes.ts';
import { MAINNET_TIP_ACCOUNTS } from '../../dev/block-engine/tip-accounts.ts';
import { launchPrefix } from '../../domain/purpose.ts';
import { type AnsweringServer, startAnsweringServer } from '../support/answering-server.ts';
import { createCreator, type Prepared } from '../support/platform/creator.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { untilState } from '../support/platform/until-state.ts';

let tips: AnsweringServer;
let platform: Platform;
beforeAll(async () => {
  tips = await startAnsweringServer();
  answerTips('0.000234567');
  platform = await startPlatform({
    variables: { TIP_FLOOR_URL: tips.url, TIP_PERCENTILE: '95', PRIORITY_FEE_MIN: '70000' },
  });
});
afterAll(async () => {
  await platform.close();
  await tips.close();
});

function answerTips(sol: string): void {
  const names = ['25', '50', '75', '95', '99'].map((percentile) => `"landed_tips_${percentile}th_percentile":${sol}`);
  tips.answer = { status: 200, body: `[{${names.join(',')}}]` };
}

it('a launch pays the tip and the priority fee of the moment it was prepared, whatever they are when it is submitted', async () => {
  const creator = await createCreator(platform);
  const prepared = await creator.prepare();
  answerTips('0.009');
  const before = await creator.balance();
  expect((await creator.submit(creator.sign(prepared))).http).toBe(200);
  await untilState(platform, prepared, 'finalized');
  const bundle = await wiresOf(prepared);
  expect(tipOf(bundle[3])).toBe(234_567n);
  // Wallets would raise a lower price of the payment.
  expect(bundle.map(priceOf)).toEqual([100_000n, 70_000n, 70_000n, 70_000n]);
  const { message } = VersionedTransaction.deserialize(Buffer.from(prepared.paymentTransaction, 'base64'));
  const fee = networkFeeOfMessage(message);
  expect(BigInt(before - (await creator.balance()))).toBe(BigInt(prepared.payment.lamports) + fee);
});

/** The four transactions of a launch, in their order. */
async function wiresOf({ quoteId }: Prepared): Promise<VersionedTransaction[]> {
  const rows = await platform.db
    .selectFrom('chainTransactions')
    .select('wire')
    .where('purpose', 'like', `${launchPrefix(quoteId)}%` as never)
    .orderBy('purpose')
    .execute();
  return rows.map(({ wire }) => VersionedTransaction.deserialize(wire));
}

function priceOf({ message }: VersionedTransaction): bigint {
  const { instructions } = TransactionMessage.decompile(message);
  const price = instructions.find(
    ({ programId, data }) => programId.equals(ComputeBudgetProgram.programId) && data[0] === 3,
  );
  return price ? BigInt(ComputeBudgetInstruction.decodeSetComputeUnitPrice(price).microLamports) : 0n;
}

/** Lamports that a transaction transfers to a tip account. */
function tipOf(transaction: VersionedTransaction | undefined): bigint {
  if (!transaction) throw new RangeError('there is no such transaction');
  const { instructions } = TransactionMessage.decompile(transaction.message);
  const tip = instructions.find(({ keys }) => MAINNET_TIP_ACCOUNTS.includes(keys[1]?.pubkey.toBase58() ?? ''));
  return tip?.data.readBigUInt64LE(4) ?? 0n;
}
