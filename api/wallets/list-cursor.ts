import Type from 'typebox';
import { UUID_PATTERN } from '../../domain/uuid.ts';
import { cursorsOf } from '../answers/cursor.ts';

/** Intent id. */
const claimCursors = cursorsOf('wallet claims', Type.Tuple([Type.String({ pattern: UUID_PATTERN })]));

export function toClaimCursor(wallet: string, intentId: string): string {
  return claimCursors.write(wallet, [intentId]);
}

/** @throws MalformedError for another list's */
export function fromClaimCursor(wallet: string, cursor: string): string {
  return claimCursors.read(wallet, cursor)[0];
}

/** Last payout of a page. */
interface PayoutPlace {
  readonly paidAt: Date;
  readonly roundId: string;
}

/** ms since 1970, round. */
const payoutCursors = cursorsOf(
  'wallet rewards',
  Type.Tuple([Type.Integer({ minimum: 0, maximum: 4_102_444_800_000 }), Type.String({ pattern: UUID_PATTERN })]),
);

/** Payout times are whole milliseconds. */
export function toPayoutCursor(wallet: string, { paidAt, roundId }: PayoutPlace): string {
  return payoutCursors.write(wallet, [paidAt.getTime(), roundId]);
}

/** @throws MalformedError for another list's */
export function fromPayoutCursor(wallet: string, cursor: string): PayoutPlace {
  const [paidAt, roundId] = payoutCursors.read(wallet, cursor);
  return { paidAt: new Date(paidAt), roundId };
}

/** Listing number. */
const positionCursors = cursorsOf('wallet positions', Type.Tuple([Type.String({ pattern: '^\\d{1,18}$' })]));

export function toPositionCursor(wallet: string, listingNumber: bigint): string {
  return positionCursors.write(wallet, [String(listingNumber)]);
}

/** @throws MalformedError for another list's */
export function fromPositionCursor(wallet: string, cursor: string): bigint {
  return BigInt(positionCursors.read(wallet, cursor)[0]);
}
