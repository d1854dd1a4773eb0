import type { Command } from 'commander';
import type { Api } from '../index.ts';
import { apiOf, command, type CommonOptions } from './common.ts';
import { print } from './say.ts';

export function rewardsCommand(): Command {
  return command('rewards', 'What was paid to holders of reward coins: of one coin, or of all')
    .argument('[mint]', 'one coin')
    .action(async (mint: string | undefined, options: CommonOptions) => {
      const { answer, lines } = await (mint === undefined ? ofAll(apiOf(options)) : ofOne(apiOf(options), mint));
      print(answer, options.json === true, lines);
    });
}

async function ofAll(api: Api) {
  const answer = await api.ask('GET /rewards');
  const lines = answer.launches.map(
    ({ mint, distributedTokens, quote, holderCount }) =>
      `${mint}  ${distributedTokens} ${quote.symbol} to ${holderCount} wallets`,
  );
  return { answer, lines: lines.length === 0 ? ['no coin has paid its holders yet'] : lines };
}

async function ofOne(api: Api, mint: string) {
  const answer = await api.ask('GET /tokens/{mint}/rewards', { path: { mint } });
  const { rewards, quote, message = 'this coin pays its holders nothing' } = answer;
  if (rewards === null) return { answer, lines: [message] };
  const { distributedTokens, undistributedTokens, holderCount, lastPayoutAt } = rewards;
  const symbol = quote?.symbol ?? '';
  return {
    answer,
    lines: [
      `paid: ${distributedTokens} ${symbol} to ${holderCount} wallets, last ${lastPayoutAt ?? 'never'}`,
      `to be paid: ${undistributedTokens} ${symbol}`,
    ],
  };
}
