import { rawShareOf, ROUNDING_RAW } from '../../launch/check-quote.ts';
import { lamportTransferIn } from '../../solana/lamport-transfer.ts';
import { Difference, type Outcome } from '../check.ts';
import { gainOf } from '../landed.ts';
import type { MintAccount } from '../mint-account.ts';
import type { LaunchBundle } from './launch-bundle.ts';

/** A wish is what the creator asked for with money in it, as at `slipway launch`; absent: not asked for. */
export interface MoneyWish {
  readonly maxLamports?: bigint;
  /** Percent of the supply. */
  readonly devBuyPercent?: number;
  readonly devBuyLamports?: bigint;
  /** Percent of the supply. */
  readonly airdropPercent?: number;
}

/** Coins that the opening of a pool leaves over: a millionth of the supply is far more than its rounding. */
const LEFT_OVER_RAW = 10n ** 12n;

const WISHED = 'what was asked for';

/** Requires that the payment is no more than the wish allows. */
export function checkPrice({ lamports, payment }: LaunchBundle, { maxLamports }: MoneyWish): Outcome<null> {
  if (maxLamports === undefined)
    return { how: `${lamports} lamports were charged; the wish names no limit`, value: null };
  mustBeAtMost('more was charged than was allowed', maxLamports, { raw: lamports, from: payment.signature });
  return { how: `${lamports} lamports were charged, at most ${maxLamports} were allowed`, value: null };
}

/** Requires that the creator got the share that was asked for, or paid no more SOL for it than that. */
export function checkDevBuy(
  bundle: LaunchBundle,
  { address, transferFee }: Pick<MintAccount, 'transferFee'> & { readonly address: string },
  { devBuyPercent, devBuyLamports }: MoneyWish,
): Outcome<null> {
  const [got, from] = [gainOf(bundle.pool, bundle.creator, address), bundle.pool.signature];
  const isWished = devBuyPercent !== undefined || devBuyLamports !== undefined;
  mustBeThere('a dev buy', isWished, { raw: got, isThere: got > 0n, from });
  if (!isWished) return { how: 'none was asked for, and the creator got no coins', value: null };
  const paid = paidForCoins(bundle, address);
  if (devBuyLamports !== undefined)
    mustBeAtMost('the dev buy cost more than was asked for', devBuyLamports, {
      raw: paid,
      from: bundle.mint.signature,
    });
  if (devBuyPercent !== undefined) {
    const [share, bps] = [rawShareOf(devBuyPercent), BigInt(transferFee?.newer.bps ?? 0)];
    const net = share - (share * bps + 9_999n) / 10_000n;
    mustBeShare(
      'the dev buy is of another share',
      { least: net - ROUNDING_RAW, most: net + ROUNDING_RAW },
      { raw: got, from },
    );
  }
  return {
    how: `the creator got ${got} raw units, and the treasury ${paid} lamports for them, as asked for`,
    value: null,
  };
}

/** Requires that the launch wallet kept the share that was asked for. `verify airdrop` follows it from there. */
export function checkShare(
  keptRaw: bigint,
  { pool }: Pick<LaunchBundle, 'pool'>,
  { airdropPercent }: MoneyWish,
): Outcome<null> {
  const found = { raw: keptRaw, from: pool.signature };
  mustBeThere('an airdrop', airdropPercent !== undefined, { ...found, isThere: keptRaw > LEFT_OVER_RAW });
  if (airdropPercent === undefined)
    return { how: 'none was asked for, and the launch wallet kept no share', value: null };
  const share = rawShareOf(airdropPercent);
  mustBeShare('the airdrop is of another share', { least: share - ROUNDING_RAW, most: share + LEFT_OVER_RAW }, found);
  return { how: `the launch wallet kept ${keptRaw} raw units for it, as asked for`, value: null };
}

/** Lamports that the launch wallet gave the treasury, which signs beside it and the mint. */
function paidForCoins({ mint: made, launchWallet }: LaunchBundle, mint: string): bigint {
  const sellers = made.signers.filter((signer) => signer !== launchWallet && signer !== mint);
  const transfers = made.instructions.map(lamportTransferIn).filter((transfer) => transfer !== null);
  return transfers
    .filter(({ from, to }) => from === launchWallet && to !== undefined && sellers.includes(to))
    .reduce((sum, { lamports }) => sum + lamports, 0n);
}

interface Moved {
  /** Raw units or lamports. */
  readonly raw: bigint;
  readonly from: string;
}

function mustBeThere(
  what: string,
  isWished: boolean,
  { raw, isThere, from }: Moved & { readonly isThere: boolean },
): void {
  if (isWished === isThere) return;
  const how = isWished ? `${what} was asked for, and there is none` : `${what} was not asked for`;
  throw new Difference(how, { value: isWished ? what : 'none', from: WISHED }, { value: `${raw} raw units`, from });
}

function mustBeAtMost(how: string, most: bigint, { raw, from }: Moved): void {
  if (raw <= most) return;
  throw new Difference(how, { value: `at most ${most} lamports`, from: WISHED }, { value: `${raw} lamports`, from });
}

function mustBeShare(how: string, due: { readonly least: bigint; readonly most: bigint }, { raw, from }: Moved): void {
  if (raw >= due.least && raw <= due.most) return;
  const value = `${due.least} to ${due.most} raw units`;
  throw new Difference(how, { value, from: WISHED }, { value: `${raw} raw units`, from });
}
