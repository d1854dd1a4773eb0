import { Keypair, PublicKey } from '@solana/web3.js';
import { readTokens } from '../../../chain/tokens/token-info.ts';
import { createDeskClient } from '../../../dev/demo/desk-client.ts';
import { trade } from '../../../dev/demo/trade.ts';
import { parseUnits } from '../../../domain/amounts.ts';
import type { RealStack } from '../../campaigns/chaos/processes/real-stack.ts';
import { type Creator, type CreatorFixture, createCreator } from '../platform/creator.ts';
import { eventually } from '../platform/eventually.ts';
import { localPair } from '../platform/local-pair.ts';
import { balanceOf } from './claim-market.ts';
import type { TokenInfo } from '../../../chain/tokens/token.ts';

/** A token launched over HTTP on a stack of processes, and somebody who trades it at the local desk. */
export interface DeskMarket {
  readonly creator: Creator;
  readonly mint: string;
  readonly base: TokenInfo;
  readonly quote: TokenInfo;
  readonly trader: Keypair;
  /** Trades so many whole input tokens; resolves once it is confirmed, with the input in raw units. */
  trade(side: 'buy' | 'sell', amount: string): Promise<bigint>;
  /** What a wallet holds at `confirmed`, raw units. */
  holdings(owner: PublicKey): Promise<{ base: bigint; quote: bigint }>;
}

/** A stack of processes, as its clients reach it. */
export type ReachedStack = CreatorFixture & { readonly stack: Pick<RealStack['stack'], 'siteUrl'> };

/** Launches a token against the local pair of this symbol, and gives its trader so many whole quote tokens. */
export async function openDeskMarket(
  stack: ReachedStack,
  symbol: string,
  { funds, launch = {} }: { readonly funds: string; readonly launch?: object },
): Promise<DeskMarket> {
  const { mint: quoteMint } = localPair(symbol);
  const creator = await createCreator(stack);
  const { prepared } = await creator.launchToEnd({ quoteMint: quoteMint.toBase58(), ...launch });
  return tradeAtDesk(stack, { creator, mint: prepared.mint, quoteMint }, funds);
}

/** A token that was launched. */
export interface Launched {
  readonly creator: Creator;
  readonly mint: string;
  readonly quoteMint: PublicKey;
}

/** Gives somebody so many whole quote tokens to trade a launched token with. */
export async function tradeAtDesk(stack: ReachedStack, launched: Launched, funds: string): Promise<DeskMarket> {
  const { creator, mint, quoteMint } = launched;
  const [base, quote] = await readTokens(stack.connection, [new PublicKey(mint), quoteMint]);
  if (!base || !quote) throw new Error(`the mints of ${mint} are not there`);
  const trader = Keypair.generate();
  const desk = createDeskClient(stack.stack.siteUrl);
  await stack.chain.control.fund(trader.publicKey.toBase58(), 10n ** 10n);
  await desk.fund(trader.publicKey.toBase58(), quote.mint.toBase58(), funds);
  const holdings = async (owner: PublicKey) => ({
    base: await balanceOf(stack, base, owner),
    quote: await balanceOf(stack, quote, owner),
  });
  await eventually(async () => (await holdings(trader.publicKey)).quote > 0n || null);
  return {
    creator,
    mint,
    base,
    quote,
    trader,
    holdings,
    trade: async (side, amount) => {
      const { paid } = await trade(stack.connection, desk, trader, { mint, side, amount });
      return parseUnits(paid, (side === 'buy' ? quote : base).decimals);
    },
  };
}
