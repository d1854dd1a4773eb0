import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { usePairs } from '../../web/api/pairs.ts';
import type { Token } from '../../web/api/types.ts';
import { amountProblem, typedAmount } from '../../web/format/amounts.ts';
import { number, usd } from '../../web/format/numbers.ts';
import { isolated } from '../../web/format/texts.ts';
import { Amount } from '../../web/parts/amount.tsx';
import { Notice } from '../../web/parts/answered.tsx';
import { CreatorText } from '../../web/parts/creator-text.tsx';
import { Segments } from '../../web/parts/segments.tsx';
import { useWallet } from '../../web/wallet/wallet-context.ts';
import { WalletButton } from '../../web/wallet/wallet-button.tsx';
import { desk } from './desk.ts';
import { trade } from './trade.ts';
import { useEstimate } from './use-estimate.ts';
import { useHoldings } from './use-holdings.ts';

type Side = 'buy' | 'sell';
type State = { readonly kind: 'idle' | 'busy' } | { readonly kind: 'done' | 'failed'; readonly text: string };

/** More than graduation takes. */
const GIFT_USD = 50_000;
const BUYS_USD = [100, 1_000, 10_000] as const;
const SELLS_PERCENT = [25, 50, 100] as const;

export default function TradePanel({ token }: { readonly token: Token }) {
  const { signer } = useWallet();
  return (
    <section className="panel" aria-labelledby="trade-title">
      <h2 id="trade-title">Trade on the local chain</h2>
      {signer ? <Trading token={token} /> : <WalletButton label="Connect to trade" />}
    </section>
  );
}

function Trading({ token }: { readonly token: Token }) {
  const { mint, quoteMint, symbol, quoteSymbol } = token;
  const [side, setSide] = useState<Side>('buy');
  const [amount, setAmount] = useState('');
  const { wallet, held, price, decimals, state, order, topUp } = useTrading(token);
  const input = side === 'buy' ? { symbol: quoteSymbol, held: held(quoteMint) } : { symbol, held: held(mint) };
  const wished = typedAmount(amount);
  const problem = amountProblem(amount);
  const isTooMuch = input.held !== undefined && Number(wished) > Number(input.held);
  const isBusy = state.kind === 'busy';
  const canOrder = wished !== null && input.held !== undefined && !isTooMuch;
  const estimate = useEstimate(wallet, canOrder ? { mint, side, amount: wished } : null);
  const choices =
    side === 'buy'
      ? BUYS_USD.map((value) => [usd(value), price === undefined ? '' : decimal(value / price, decimals)] as const)
      : SELLS_PERCENT.map((share) => [`${share} %`, shareOf(input.held, share)] as const);
  return (
    <>
      <Segments
        label="Side"
        choices={[
          ['buy', 'Buy'],
          ['sell', 'Sell'],
        ]}
        value={side}
        onChange={setSide}
      />
      <label className="field">
        <span>
          <CreatorText>{input.symbol}</CreatorText> to {side === 'buy' ? 'spend' : 'sell'}
        </span>
        <input inputMode="decimal" value={amount} onChange={({ target }) => setAmount(target.value)} />
      </label>
      <div className="quick">
        {choices.map(([label, value]) => (
          <button key={label} type="button" disabled={value === ''} onClick={() => setAmount(value)}>
            {label}
          </button>
        ))}
      </div>
      <p className="hint">
        You hold <Amount tokens={input.held === undefined ? undefined : Number(input.held)} symbol={input.symbol} />
        {isTooMuch ? ', which is less than that.' : '.'}{' '}
        <button
          type="button"
          className="text-button"
          disabled={isBusy || price === undefined}
          onClick={() => void topUp()}
        >
          Get {usd(GIFT_USD)} of <CreatorText>{quoteSymbol}</CreatorText>
        </button>
      </p>
      {problem !== null && <p className="hint">{problem}</p>}
      {estimate !== undefined && (
        <p className="hint">
          Brings about <Amount tokens={Number(estimate)} symbol={side === 'buy' ? symbol : quoteSymbol} /> at the price
          of now.
        </p>
      )}
      <button
        type="button"
        className="button wide"
        disabled={isBusy || !canOrder}
        onClick={() => void order(side, wished ?? '', () => setAmount(''))}
      >
        {isBusy ? 'On its way …' : side === 'buy' ? `Buy ${symbol}` : `Sell ${symbol}`}
      </button>
      {state.kind === 'done' && <Notice kind="good">{state.text}</Notice>}
      {state.kind === 'failed' && <Notice kind="bad">{state.text}</Notice>}
    </>
  );
}

function useTrading({ mint, quoteMint, symbol, quoteSymbol }: Token) {
  const { signer } = useWallet();
  const queries = useQueryClient();
  const wallet = signer?.address ?? '';
  const pair = usePairs().data?.find((one) => one.mint === quoteMint);
  const holdings = useHoldings(wallet);
  const [state, setState] = useState<State>({ kind: 'idle' });
  const run = async (work: () => Promise<string>) => {
    setState({ kind: 'busy' });
    try {
      setState({ kind: 'done', text: await work() });
      await queries.invalidateQueries();
    } catch (error) {
      setState({ kind: 'failed', text: error instanceof Error ? error.message : 'it did not work' });
    }
  };
  const decimals = pair?.decimals ?? 6;
  return {
    wallet,
    state,
    decimals,
    price: pair?.priceUsd,
    /** Undefined while unknown. */
    held: (of: string) =>
      holdings.data ? (holdings.data.tokens.find((one) => one.mint === of)?.amount ?? '0') : undefined,
    order: (side: Side, amount: string, onDone: () => void) =>
      run(async () => {
        if (!signer) throw new Error('no wallet is connected');
        const { amountIn, amountOut } = await trade(desk, signer, { mint, side, amount });
        onDone();
        const [given, got] = side === 'buy' ? [quoteSymbol, symbol] : [symbol, quoteSymbol];
        return `${number(Number(amountIn))} ${isolated(given)} for ${number(Number(amountOut))} ${isolated(got)}`;
      }),
    topUp: () =>
      run(async () => {
        const gift = decimal(GIFT_USD / (pair?.priceUsd ?? 1), decimals);
        await desk.fund({ wallet, sol: '1', tokens: [{ mint: quoteMint, amount: gift }] });
        return `${number(Number(gift))} ${isolated(quoteSymbol)} given`;
      }),
  };
}

function decimal(value: number, decimals: number): string {
  return value.toFixed(Math.min(decimals, 8)).replace(/\.?0+$/, '');
}

function shareOf(held: string | undefined, share: number): string {
  if (held === undefined) return '';
  if (share === 100) return Number(held) > 0 ? held : '';
  const [whole = '0', fraction = ''] = held.split('.');
  const raw = (BigInt(`${whole}${fraction}`) * BigInt(share)) / 100n;
  const digits = raw.toString().padStart(fraction.length + 1, '0');
  const text = fraction === '' ? digits : `${digits.slice(0, -fraction.length)}.${digits.slice(-fraction.length)}`;
  return raw > 0n ? text : '';
}
