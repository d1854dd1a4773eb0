import { Link } from 'wouter';
import { api } from '../../api/api.ts';
import type { Token } from '../../api/types.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { number, percent } from '../../format/numbers.ts';
import { short } from '../../format/texts.ts';
import { Answered } from '../../parts/answered.tsx';
import { CreatorText } from '../../parts/creator-text.tsx';
import { Picture } from '../../parts/picture.tsx';

const EVERY_MS = 30_000;
const COINS = 12;
const MOST_HOLDERS = 100;

/** What stands between a wallet and a payout, in words for people. */
const REASONS: Readonly<Record<string, string>> = {
  belowMinimum: 'held too little',
  notThroughout: 'did not hold the whole time',
  belowLeastPayout: 'its part was too small to send',
  accountClosed: 'it has closed its account of the paired token',
  accountFrozen: 'its account of the paired token is frozen',
};

/** How far a round has come. */
const ROUND_STATES = {
  collecting: 'is collecting the tax',
  selling: 'is selling the tax',
  paying: 'is paying',
  done: 'is over',
} as const;

/** How a wallet fares with the greatest reward coins: what it holds, and how the last round went for it. */
export function WalletRewards({ wallet }: { readonly wallet: string }) {
  const query = { mode: 'reward', pageSize: COINS } as const;
  const asked = useAnswer(['reward-coins'], (signal) => api.ask('GET /tokens', { query, signal }), {
    everyMs: EVERY_MS,
  });
  return (
    <section aria-labelledby="wallet-title">
      <h2 id="wallet-title">
        What <code>{short(wallet)}</code> holds of them
      </h2>
      <Answered asked={asked}>
        {({ tokens }) =>
          tokens.length === 0 ? (
            <p className="empty">No reward coin was launched yet.</p>
          ) : (
            <ul className="rows">
              {tokens.map((token) => (
                <Coin key={token.mint} token={token} wallet={wallet} />
              ))}
            </ul>
          )
        }
      </Answered>
    </section>
  );
}

function Coin({ token, wallet }: { readonly token: Token; readonly wallet: string }) {
  const { mint, name, symbol, logoUrl } = token;
  const holders = useAnswer(
    ['holders', mint, MOST_HOLDERS],
    (signal) => api.ask('GET /tokens/{mint}/holders', { path: { mint }, query: { limit: MOST_HOLDERS }, signal }),
    { everyMs: EVERY_MS },
  );
  const own = holders.data?.holders.find(({ owner }) => owner === wallet);
  return (
    <li className="panel row">
      <Picture url={logoUrl} symbol={symbol} size={44} />
      <div className="row-name">
        <Link href={`/tokens/${mint}`}>
          <CreatorText>{name}</CreatorText>
        </Link>
        <small>
          {own
            ? `${number(own.amountTokens)} ${symbol}, ${percent(own.percent, 2)} of the supply`
            : `nothing, or not among its ${MOST_HOLDERS} greatest holders`}
        </small>
      </div>
      <LastRound token={token} wallet={wallet} holds={own !== undefined} />
    </li>
  );
}

function LastRound({
  token,
  wallet,
  holds,
}: {
  readonly token: Token;
  readonly wallet: string;
  readonly holds: boolean;
}) {
  const path = { mint: token.mint };
  const rounds = useAnswer(
    ['rounds', token.mint],
    (signal) => api.ask('GET /tokens/{mint}/rewards/rounds', { path, query: { pageSize: 1 }, signal }),
    { everyMs: EVERY_MS },
  );
  const round = rounds.data?.rounds[0];
  const leftOut = useAnswer(
    ['left-out', token.mint, round?.number],
    (signal) =>
      api.ask('GET /tokens/{mint}/rewards/rounds/{number}/left-out', {
        path: { ...path, number: String(round?.number) },
        query: { pageSize: 100 },
        signal,
      }),
    { enabled: round !== undefined },
  );
  if (!round) return <p className="row-fees quiet-text">no round yet</p>;
  const own = leftOut.data?.leftOut.find(({ owner }) => owner === wallet);
  return (
    <p className="row-fees">
      Round {round.number} {ROUND_STATES[round.state]}: {number(round.paidTokens)} {token.quoteSymbol} to{' '}
      {round.recipientCount} wallets
      {own && <small className="quiet-text">, nothing to this one: {REASONS[own.reason] ?? own.reason}</small>}
      {!own && holds && round.state === 'done' && <small className="quiet-text">, this one among them</small>}
    </p>
  );
}
