import type { Command } from 'commander';
import type { Answer } from '../index.ts';
import { apiOf, command, type CommonOptions } from './common.ts';
import { print } from './say.ts';

export function walletCommand(): Command {
  return command('wallet', 'What a wallet launched, can claim and was paid')
    .argument('<address>', 'the wallet')
    .action(async (address: string, options: CommonOptions) => {
      const api = apiOf(options);
      const request = { path: { wallet: address } };
      const [wallet, rewards] = await Promise.all([
        api.ask('GET /wallets/{wallet}', request),
        api.ask('GET /wallets/{wallet}/rewards', request),
      ]);
      print({ ...wallet, rewards }, options.json === true, linesOf(wallet, rewards));
    });
}

type Wallet = Answer<'GET /wallets/{wallet}'>;
type Rewards = Answer<'GET /wallets/{wallet}/rewards'>;

function linesOf({ launchCount, positions, pagination }: Wallet, { days }: Rewards): string[] {
  return [
    `launches: ${launchCount}`,
    ...positions.map(positionLine),
    ...(pagination.hasMore ? ['and older positions: GET /wallets/{wallet} pages through them'] : []),
    `rewards of the last 30 days${days.length === 0 ? ': none' : ''}`,
    ...days.map(
      ({ date, symbol, amountTokens, quoteSymbol, payoutCount }) =>
        `${date}  ${amountTokens} ${quoteSymbol} of ${symbol} in ${payoutCount} payments`,
    ),
  ];
}

function positionLine({ mint, symbol, feeKey, claimable }: Wallet['positions'][number]): string {
  if (claimable === null) return `${mint}  ${symbol}: not known now`;
  const { base, quote } = claimable;
  const amounts = `${base.amountTokens} ${base.symbol} and ${quote.amountTokens} ${quote.symbol}`;
  return `${mint}  ${symbol}: ${amounts} ${feeKey.isHeld ? 'to claim' : `for ${feeKey.holder ?? 'no wallet'}`}`;
}
