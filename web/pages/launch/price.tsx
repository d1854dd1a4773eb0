import { useEffect, useState } from 'react';
import type { LaunchQuote } from '../../../client/index.ts';
import { readIssued } from '../../../client/solana/issued.ts';
import { networkFeeOf } from '../../../client/solana/network-fee.ts';
import { number, sol, usd } from '../../format/numbers.ts';
import { usePairs } from '../../api/pairs.ts';
import { useExtension } from '../../extension.ts';
import { Notice } from '../../parts/answered.tsx';
import { Copy } from '../../parts/copy.tsx';
import { CreatorText } from '../../parts/creator-text.tsx';
import { SimilarTo } from '../../parts/similar-to.tsx';
import type { TokenWish } from './use-launching.ts';

const ITEMS = { launch: 'Launch: rent, fees and tip', devBuy: 'Dev buy', airdrop: 'Delivery of the airdrop' } as const;

interface PriceProps {
  readonly token: TokenWish;
  readonly quote: LaunchQuote;
  /** Unix ms, this machine's clock. */
  readonly signableUntil: number;
  readonly onAnswer: (yes: boolean) => void;
  /** New price, same token. */
  readonly onRenew: () => void;
}

export function Price({ token, quote, signableUntil, onAnswer, onRenew }: PriceProps) {
  const seconds = useSecondsLeft(signableUntil);
  const { Balance } = useExtension();
  return (
    <section className="panel" aria-labelledby="price-title">
      <h2 id="price-title">What you pay</h2>
      <Wished token={token} quote={quote} />
      {quote.similarTo && <SimilarTo similarTo={quote.similarTo} />}
      <Bill quote={quote} />
      {Balance && <Balance lamports={togetherOf(quote)} />}
      <WhatHappens quote={quote} />
      {seconds > 0 ? (
        <p className="hint" role="timer">
          Good for {seconds} more seconds. Nothing is signed yet.
        </p>
      ) : (
        <Notice kind="warn">This price is too old to be signed. Nothing was charged: ask for a new one.</Notice>
      )}
      <div className="actions">
        {seconds > 0 ? (
          <button type="button" className="button large" onClick={() => onAnswer(true)}>
            Sign and launch for {sol(togetherOf(quote))}
          </button>
        ) : (
          <button type="button" className="button large" onClick={onRenew}>
            Ask for a new price
          </button>
        )}
        <button type="button" className="button quiet large" onClick={() => onAnswer(false)}>
          Back
        </button>
      </div>
    </section>
  );
}

function Wished({ token, quote }: Pick<PriceProps, 'token' | 'quote'>) {
  const { name, symbol, logo, quoteMint } = token;
  const pair = usePairs().data?.find(({ mint }) => mint === quoteMint);
  return (
    <div className="row wished">
      <img className="picture" src={logo} width={44} height={44} alt="" />
      <div className="row-name">
        <strong>
          <CreatorText>{name}</CreatorText>
        </strong>
        <small>
          <CreatorText>{symbol}</CreatorText>
          {pair && (
            <>
              {' '}
              / <CreatorText>{pair.symbol}</CreatorText>
            </>
          )}{' '}
          · {quote.mode}, {quote.poolFeePercent} % pool fee
        </small>
      </div>
    </div>
  );
}

function togetherOf(quote: LaunchQuote): number {
  return quote.payment.lamports + chainFeeOf(quote);
}

/** Network fee from the checked transaction, lamports. */
function chainFeeOf({ paymentTransaction }: LaunchQuote): number {
  return Number(networkFeeOf(readIssued(paymentTransaction).message));
}

function Bill({ quote }: { readonly quote: LaunchQuote }) {
  const { payment } = quote;
  return (
    <table className="bill">
      <tbody>
        {payment.items.map(({ item, lamports }) => (
          <tr key={item}>
            <th scope="row">{ITEMS[item]}</th>
            <td className="right">{sol(lamports)}</td>
          </tr>
        ))}
        <tr>
          <th scope="row">The chain’s own fee</th>
          <td className="right">{sol(chainFeeOf(quote))}</td>
        </tr>
        <tr className="total">
          <th scope="row">Together</th>
          <td className="right">{sol(togetherOf(quote))}</td>
        </tr>
      </tbody>
    </table>
  );
}

function WhatHappens({ quote }: { readonly quote: LaunchQuote }) {
  const { payment, devBuy, airdrop, transferFee, poolFeePercent, openingMarketCapUsd, mint, feeRecipient } = quote;
  return (
    <ul className="facts">
      <li>
        Your wallet shows <strong>one transfer of {sol(payment.lamports)}</strong> to{' '}
        <Copy text={payment.to} what="wallet of the launch" letters={6} />, and nothing else. The platform signs last,
        so it cannot land before everything was checked.
      </li>
      <li>
        The token will be <Copy text={mint} what="token address" letters={6} />; its pool opens at{' '}
        {usd(openingMarketCapUsd)} and takes {poolFeePercent} % of each trade
        {transferFee && `, and transfers a tax of ${transferFee.bps / 100} %`}.
      </li>
      {feeRecipient && (
        <li>
          The creator’s fees belong to <Copy text={feeRecipient} what="wallet that gets the Fee Key" letters={6} />, not
          to you.
        </li>
      )}
      {devBuy && <li>You get {number(devBuy.netTokens ?? devBuy.tokens)} tokens in the same bundle.</li>}
      {airdrop && (
        <li>
          {number(airdrop.tokens)} tokens go to {airdrop.recipients} holders in equal parts, after the launch.
        </li>
      )}
      <li>
        Payment, token, pool and locked liquidity land together or not at all; where only a beginning lands, it is
        finished later or given back.
      </li>
    </ul>
  );
}

function useSecondsLeft(until: number): number {
  const left = () => Math.max(0, Math.floor((until - Date.now()) / 1_000));
  const [seconds, setSeconds] = useState(left);
  useEffect(() => {
    const timer = setInterval(() => setSeconds(left()), 500);
    return () => clearInterval(timer);
  }, [until]);
  return seconds;
}
