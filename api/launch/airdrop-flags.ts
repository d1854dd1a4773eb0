import Type, { type Static, type TObject } from 'typebox';
import { TOTAL_SUPPLY_RAW } from '../../domain/token-facts.ts';
import { figure, raw } from '../answers/fields.ts';
import { toTokens } from '../answers/numbers.ts';

/** The supply is a power of ten. */
const BPS_DECIMALS = String(TOTAL_SUPPLY_RAW).length - 1;

/** Share of raw units, in bps. */
export function shareBps(shareRaw: bigint): number {
  return toTokens(shareRaw * 10_000n, BPS_DECIMALS);
}

export const airdropFlags = {
  airdropBps: Type.Optional(figure('Share of the supply that was given away at launch, bps; only with an airdrop')),
  airdropSupplyRaw: Type.Optional(raw('The same')),
  airdropDeliveredRaw: Type.Optional(raw('Delivered so far, before the transfer tax')),
};

type AirdropFlags = Static<TObject<typeof airdropFlags>>;

export function airdropFlagsAnswer(
  airdrop: { readonly shareRaw: bigint; readonly deliveredRaw: bigint } | null,
): AirdropFlags {
  if (!airdrop) return {};
  return {
    airdropBps: shareBps(airdrop.shareRaw),
    airdropSupplyRaw: airdrop.shareRaw.toString(),
    airdropDeliveredRaw: airdrop.deliveredRaw.toString(),
  };
}
