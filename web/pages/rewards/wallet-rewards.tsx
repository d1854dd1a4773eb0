import { Link } from 'wouter';
import type { Answer } from '../../../client/index.ts';
import { api } from '../../api/api.ts';
import type { Token } from '../../api/types.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { leftOutReason } from '../../format/left-out.ts';
import { counted, percent } from '../../format/numbers.ts';
import { short } from '../../format/texts.ts';
import { Amount } from '../../parts/amount.tsx';
import { Answered } from '../../parts/answered.tsx';
import { TokenRow } from '../../parts/token-row.tsx';

const EVERY_MS = 30_000;
const COINS = 12;
const MOST_HOLDERS = 100;
/** One may be running. */
const NEWEST_ROUNDS = 2;

const ROUND_STATES = {
  collecting: 'is collecting the tax',
  selling: 'is selling the tax',
  sealing: 'is committing to its payouts',
  paying: 'is paying',
  done: 'is over',
} as const;

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
      <p>
        <Link className="button" href={`/wallet/${wallet}`}>
          See everything it was paid
        </Link>
      </p>
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
  const { mint, symbol } = token;
  const holders = useAnswer(
    ['holders', mint, MOST_HOLDERS],
    (signal) => api.ask('GET /tokens/{mint}/holders', { path: { mint }, query: { limit: MOST_HOLDERS }, signal }),
    { everyMs: EVERY_MS },
  );
  const own = holders.data?.holders.find(({ owner }) => owner === wallet);
  return (
    <TokenRow
      token={token}
      about={
        own ? (
          <>
            <Amount tokens={own.amountTokens} symbol={symbol} />, {percent(own.percent, 2)} of the supply
          </>
        ) : (
          `nothing, or not among its ${MOST_HOLDERS} greatest holders`
        )
      }
    >
      <LastRounds token={token} wallet={wallet} holds={own !== undefined} />
    </TokenRow>
  );
}

interface RoundsProps {
  readonly token: Token;
  readonly wallet: string;
  readonly holds: boolean;
}

function LastRounds({ token, wallet, holds }: RoundsProps) {
  const path = { mint: token.mint };
  const asked = useAnswer(
    ['rounds', token.mint],
    (signal) => api.ask('GET /tokens/{mint}/rewards/rounds', { path, query: { pageSize: NEWEST_ROUNDS }, signal }),
    { everyMs: EVERY_MS, on: { subjects: ['round'], mint: token.mint } },
  );
  const rounds = asked.data?.rounds ?? [];
  const over = rounds.find(({ state }) => state === 'done');
  const open = rounds.find(({ state }) => state !== 'done');
  return (
    <div className="row-fees">
      {rounds.length === 0 && <p className="quiet-text">no round yet</p>}
      {over && <PaidRound token={token} round={over} wallet={wallet} holds={holds} />}
      {open && (
        <p className="quiet-text">
          Round {open.number} {ROUND_STATES[open.state]}.
        </p>
      )}
    </div>
  );
}

interface PaidProps extends RoundsProps {
  readonly round: Answer<'GET /tokens/{mint}/rewards/rounds'>['rounds'][number];
}

function PaidRound({ token, round, wallet, holds }: PaidProps) {
  const path = { mint: token.mint, number: String(round.number) };
  const leftOut = useAnswer(['left-out', token.mint, round.number], (signal) =>
    api.ask('GET /tokens/{mint}/rewards/rounds/{number}/left-out', { path, query: { pageSize: 100 }, signal }),
  );
  const own = leftOut.data?.leftOut.find(({ owner }) => owner === wallet);
  // Recipients are not listed, and a balance does not reveal an earlier one.
  const least =
    leftOut.data?.pagination.totalPages === 1 || leftOut.data?.pagination.total === 0 ? round.division : null;
  return (
    <p>
      Round {round.number} paid <Amount tokens={round.paidTokens} symbol={token.quoteSymbol} /> to{' '}
      {counted(round.recipientCount, 'wallet')}
      {own && <small className="quiet-text">, nothing to this one: {leftOutReason(own.reason)}</small>}
      {!own && holds && least && (
        <small className="quiet-text">
          , this one among them if it held at least <Amount tokens={least.minimumHoldingTokens} symbol={token.symbol} />{' '}
          all the time
        </small>
      )}
    </p>
  );
}
