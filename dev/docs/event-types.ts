import type { EventType } from '../../domain/events/event-types.ts';
import { table } from './table.ts';

const WRITTEN: Readonly<Record<EventType, string>> = {
  'launch.processing': 'a submit was taken in, or a parked or reverted launch goes on',
  'launch.completed': 'the token is live and confirmed',
  'launch.not_charged': 'it ended without a token and without a charge',
  'launch.refunded': 'it ended with everything paid back',
  'launch.needs_recovery': 'the payment landed and an operator decides',
  'token.launched': 'with the launch',
  'token.graduated': 'a quorum confirmed a final trade at the cap; never undone',
  'token.withdrawn': 'a fork undid the launch; it may be launched again',
  'trade.confirmed': 'a confirmed block has it',
  'trade.final': 'no fork can take it back',
  'trade.withdrawn': 'no block has it any more',
  'round.observed': 'balances were observed',
  'round.divided': 'the division is fixed, before any payment',
  'round.paid': 'the round is over; `paidRaw` is 0 if no holder was paid',
  'payout.paid': "a wallet's share of a round is final on the chain",
  'claim.paid': 'a claim of creator fees is final',
  harvest: 'swap fees of the platform are final in the treasury: the revenue',
  burn: 'final',
  buyback: 'final',
  'airdrop.delivered': 'the delivery is over; `deliveredRaw` is what was delivered',
  'pair.added': 'launches can pair with the token',
  'pair.retired': 'launches no longer can',
  'switch.changed': 'an operator turned a feature on or off',
};

export const eventTypesText = (): string =>
  table(
    ['type', 'when it is written'],
    Object.entries(WRITTEN).map(([type, when]) => [`\`${type}\``, when]),
  );
