// Written from /openapi.full.json by `vitest run test/client/generated.test.ts -u`; not by hand.
import type { Shape } from '../http/shape.ts';

/** What every operation takes, and `data` of its success. */
export interface Operations {
  /** List and search tokens */
  'GET /tokens': {
    readonly query: {
      readonly q?: string;
      readonly sort?: 'marketCap' | 'newest' | 'volume';
      readonly mode?: 'standard' | 'reward';
      readonly status?: 'new' | 'aboutToGraduate' | 'graduated';
      readonly quoteMint?: string;
      readonly category?: string;
      readonly airdrop?: boolean;
      readonly minMarketCapUsd?: number;
      readonly maxMarketCapUsd?: number;
      readonly minVolume24hUsd?: number;
      readonly createdAfter?: string;
      readonly createdBefore?: string;
      readonly page?: number;
      readonly pageSize?: number;
    };
    readonly body: undefined;
    readonly data: {
      readonly tokens: readonly {
        /** Mint, as the asset index calls it */
        readonly address: string;
        /** Mint */
        readonly mint: string;
        /** Name */
        readonly name: string;
        /** Symbol */
        readonly symbol: string;
        /** Decimals */
        readonly decimals: number;
        /** Page of the token */
        readonly url: string;
        /** Pool */
        readonly pool: string;
        /** Launch */
        readonly createdAt: string;
        /** Venue of the pool */
        readonly launchpad: 'raydium';
        readonly market: {
          /** USD for one token */
          readonly priceUsd?: number;
          /** Quote tokens for one token */
          readonly priceQuote?: number;
          /** Market cap, USD; it falls with burns */
          readonly marketCapUsd?: number;
          /** The same: all of the supply is out */
          readonly fdvUsd?: number;
          /** The highest recorded market cap, USD; it never falls. Final swaps at a steady price raise it, and a quote token that became dearer; the present cap may be higher */
          readonly peakMarketCapUsd?: number;
          /** Trades of the last 24 hours, USD */
          readonly volume24hUsd: number;
          /** Both sides of the pool, USD */
          readonly liquidityUsd?: number;
          /** Change of the price against an hour ago, percent */
          readonly priceChange1h?: number;
          /** Change of the price against six hours ago, percent */
          readonly priceChange6h?: number;
          /** Change of the price against 24 hours ago, percent */
          readonly priceChange24h?: number;
          /** Trades of the last 24 hours; counted again within a minute */
          readonly trades24h?: number;
          /** Wallets that traded in these hours */
          readonly traders24h?: number;
          /** Wallets that hold some; counted again within minutes of trades */
          readonly holders?: number;
        };
        /** Logo */
        readonly logoUrl: string;
        /** Logo */
        readonly imageUrl: string;
        /** Permanent metadata */
        readonly metadataUri: string;
        readonly links: {
          /** Website */
          readonly website?: string;
          /** X */
          readonly twitter?: string;
          /** Telegram */
          readonly telegram?: string;
        };
        /** Mint of the paired token */
        readonly quoteMint: string;
        /** Its symbol */
        readonly quoteSymbol: string;
        /** The paired token */
        readonly quote: {
          /** Mint */
          readonly mint: string;
          /** Symbol */
          readonly symbol: string;
          /** Name */
          readonly name: string;
          /** Decimals */
          readonly decimals?: number;
          /** Logo; the platform’s where none is known */
          readonly logoUrl: string;
          /** Category of the pair */
          readonly category: string;
          /** The same for people */
          readonly categoryLabel: string;
        };
        /** Whether the pool takes its fees in the quote token alone */
        readonly quoteOnlyFees: boolean;
        /** Wallet that launched it */
        readonly creator: string;
        /** Fee model */
        readonly mode: 'standard' | 'reward';
        /** Graduation */
        readonly status: 'new' | 'aboutToGraduate' | 'graduated';
        /** Present market cap over the threshold, below 1 until the token has graduated; then 1 */
        readonly graduationProgress: number;
        /** Only once it has graduated */
        readonly graduatedAt?: string;
        readonly transferFee?: {
          /** Tax on every transfer, in bps */
          readonly bps: 100 | 300;
        };
        /** Share of the supply that was given away at launch, bps; only with an airdrop */
        readonly airdropBps?: number;
        /** The same, smallest units */
        readonly airdropSupplyRaw?: string;
        /** Delivered so far, before the transfer tax, smallest units */
        readonly airdropDeliveredRaw?: string;
        /** Another token that this one can be taken for: a listed quote token or an earlier launch. A note, never a refusal */
        readonly similarTo?: {
          /** The other token */
          readonly mint: string;
          /** Its name */
          readonly name: string;
          /** Its symbol */
          readonly symbol: string;
          /** A listed quote token, or a token that was launched here earlier */
          readonly kind: 'pair' | 'graduated' | 'token';
          /** Which of this token’s texts is the same, or looks alike */
          readonly why: 'sameSymbol' | 'similarSymbol' | 'sameName' | 'similarName';
        };
        /** Only while it is in the buyback rankings */
        readonly flywheel?: {
          /** always true */
          readonly active: boolean;
        };
      }[];
      /** Order of the tokens */
      readonly sort: 'marketCap' | 'newest' | 'volume';
      readonly pagination: {
        /** The answered page, from 1 */
        readonly page: number;
        /** Entries on a page */
        readonly pageSize: number;
        /** Entries on all pages */
        readonly total: number;
        /** Pages; 0 for an empty list */
        readonly totalPages: number;
        /** Whether a later page has entries: stop where it is false, because a page behind the last answers the last */
        readonly hasMore: boolean;
      };
      /** Cluster that everything is on */
      readonly network: 'mainnet-beta' | 'devnet' | 'testnet' | 'localnet';
    };
  };
  /** One token */
  'GET /tokens/{mint}': {
    readonly query: undefined;
    readonly body: undefined;
    readonly data: {
      readonly token: {
        /** Mint, as the asset index calls it */
        readonly address: string;
        /** Mint */
        readonly mint: string;
        /** Name */
        readonly name: string;
        /** Symbol */
        readonly symbol: string;
        /** Decimals */
        readonly decimals: number;
        /** Page of the token */
        readonly url: string;
        /** Pool */
        readonly pool: string;
        /** Launch */
        readonly createdAt: string;
        /** Venue of the pool */
        readonly launchpad: 'raydium';
        readonly market: {
          /** USD for one token */
          readonly priceUsd?: number;
          /** Quote tokens for one token */
          readonly priceQuote?: number;
          /** Market cap, USD; it falls with burns */
          readonly marketCapUsd?: number;
          /** The same: all of the supply is out */
          readonly fdvUsd?: number;
          /** The highest recorded market cap, USD; it never falls. Final swaps at a steady price raise it, and a quote token that became dearer; the present cap may be higher */
          readonly peakMarketCapUsd?: number;
          /** Trades of the last 24 hours, USD */
          readonly volume24hUsd: number;
          /** Both sides of the pool, USD */
          readonly liquidityUsd?: number;
          /** Change of the price against an hour ago, percent */
          readonly priceChange1h?: number;
          /** Change of the price against six hours ago, percent */
          readonly priceChange6h?: number;
          /** Change of the price against 24 hours ago, percent */
          readonly priceChange24h?: number;
          /** Trades of the last 24 hours; counted again within a minute */
          readonly trades24h?: number;
          /** Wallets that traded in these hours */
          readonly traders24h?: number;
          /** Wallets that hold some; counted again within minutes of trades */
          readonly holders?: number;
        };
        /** Logo */
        readonly logoUrl: string;
        /** Logo */
        readonly imageUrl: string;
        /** Permanent metadata */
        readonly metadataUri: string;
        readonly links: {
          /** Website */
          readonly website?: string;
          /** X */
          readonly twitter?: string;
          /** Telegram */
          readonly telegram?: string;
        };
        /** Mint of the paired token */
        readonly quoteMint: string;
        /** Its symbol */
        readonly quoteSymbol: string;
        /** The paired token */
        readonly quote: {
          /** Mint */
          readonly mint: string;
          /** Symbol */
          readonly symbol: string;
          /** Name */
          readonly name: string;
          /** Decimals */
          readonly decimals?: number;
          /** Logo; the platform’s where none is known */
          readonly logoUrl: string;
          /** Category of the pair */
          readonly category: string;
          /** The same for people */
          readonly categoryLabel: string;
        };
        /** Whether the pool takes its fees in the quote token alone */
        readonly quoteOnlyFees: boolean;
        /** Wallet that launched it */
        readonly creator: string;
        /** Fee model */
        readonly mode: 'standard' | 'reward';
        /** Graduation */
        readonly status: 'new' | 'aboutToGraduate' | 'graduated';
        /** Present market cap over the threshold, below 1 until the token has graduated; then 1 */
        readonly graduationProgress: number;
        /** Only once it has graduated */
        readonly graduatedAt?: string;
        readonly transferFee?: {
          /** Tax on every transfer, in bps */
          readonly bps: 100 | 300;
        };
        /** Share of the supply that was given away at launch, bps; only with an airdrop */
        readonly airdropBps?: number;
        /** The same, smallest units */
        readonly airdropSupplyRaw?: string;
        /** Delivered so far, before the transfer tax, smallest units */
        readonly airdropDeliveredRaw?: string;
        /** Another token that this one can be taken for: a listed quote token or an earlier launch. A note, never a refusal */
        readonly similarTo?: {
          /** The other token */
          readonly mint: string;
          /** Its name */
          readonly name: string;
          /** Its symbol */
          readonly symbol: string;
          /** A listed quote token, or a token that was launched here earlier */
          readonly kind: 'pair' | 'graduated' | 'token';
          /** Which of this token’s texts is the same, or looks alike */
          readonly why: 'sameSymbol' | 'similarSymbol' | 'sameName' | 'similarName';
        };
        /** Only while it is in the buyback rankings */
        readonly flywheel?: {
          /** always true */
          readonly active: boolean;
        };
      };
      readonly launch: {
        /** Id of its signed quote */
        readonly quoteId: string;
        /** Name */
        readonly name: string;
        /** Symbol */
        readonly symbol: string;
        /** Wallet that launched it */
        readonly creator: string;
        /** Wallet that got the Fee Key, if the creator named one */
        readonly feeRecipient?: string;
        /** Venue of the pool */
        readonly launchpad: 'raydium';
        /** Fee model */
        readonly mode: 'standard' | 'reward';
        /** The paired token */
        readonly quote: {
          /** Mint */
          readonly mint: string;
          /** Symbol */
          readonly symbol: string;
        };
        /** Mint of the paired token */
        readonly quoteMint: string;
        /** Its symbol */
        readonly quoteSymbol: string;
        readonly transferFee?: {
          /** Tax on every transfer, in bps */
          readonly bps: 100 | 300;
        };
        /** Standard launches only */
        readonly feeTier?: '1%' | '2%';
        /** Tax on every transfer, in bps */
        readonly rewardTaxBps?: 100 | 300;
        /** Fee of the pool, percent */
        readonly poolFeePercent: number;
        /** Market cap at which the pool opens, USD */
        readonly startMarketCapUsd: number;
        /** Market cap that is aimed at, USD */
        readonly targetMarketCapUsd: number;
        readonly payment: {
          /** Price for the creator, lamports */
          readonly lamports: number;
        };
        readonly devBuy: {
          /** Tokens that the pool gives */
          readonly tokens: number;
          /** The same, smallest units */
          readonly tokensRaw: string;
          /** Tokens that reach the creator after the transfer tax; reward launches only */
          readonly netTokens?: number;
          /** The same, smallest units */
          readonly netTokensRaw?: string;
          /** Price for the creator, lamports */
          readonly lamports: number;
        } | null;
        readonly airdrop: {
          /** Where the recipients come from */
          readonly source: 'quote-holders';
          /** Size of the ranking */
          readonly tier: 'top100' | 'top1000' | 'top5000';
          /** Share of the supply that is held out of the pool, percent */
          readonly percent: number;
          /** The same in tokens */
          readonly tokens: number;
          /** The same, smallest units */
          readonly tokensRaw: string;
          /** Wallets that get some */
          readonly recipients: number;
          /** Price of the delivery for the creator, lamports */
          readonly feeLamports: number;
          /** Transactions of its own deliver it after the launch has completed; `/tokens/{mint}/airdrop` says how far */
          readonly delivery: 'afterLaunch';
          /** Slot at which the recipients were frozen */
          readonly snapshotSlot: number;
          /** sha256 of the recipients’ document, hex: `slipway verify airdrop --recipients-hash` compares it */
          readonly recipientsHash: string;
        } | null;
        /** Wallet that the launch is made from */
        readonly launchWallet: string;
        /** Once the token is live */
        readonly feeKeyMints?: readonly string[];
        /** Of the fee payment; its key in the status endpoint */
        readonly paymentSignature: string;
        readonly status: 'completed';
        /** Mint */
        readonly mint: string;
        /** Pool */
        readonly pool: string;
        /** Logo */
        readonly logoUrl: string;
        /** When it was launched */
        readonly createdAt: string;
        /** Only while an admin hides the token from market list, search and asset index; always true */
        readonly hidden?: boolean;
        /** Share of the supply that was given away at launch, bps; only with an airdrop */
        readonly airdropBps?: number;
        /** The same, smallest units */
        readonly airdropSupplyRaw?: string;
        /** Delivered so far, before the transfer tax, smallest units */
        readonly airdropDeliveredRaw?: string;
        /** Every state it was in, oldest first */
        readonly states: readonly {
          readonly state:
            | 'received'
            | 'preparing'
            | 'landing'
            | 'resuming'
            | 'recording'
            | 'completed'
            | 'finalized'
            | 'needs_recovery'
            | 'refunding'
            | 'refunded'
            | 'not_landed';
          /** When it came into it */
          readonly at: string;
          readonly slot: number | null;
        }[];
        /** Transactions of its bundle */
        readonly transactions: readonly {
          /** Purpose of the transaction */
          readonly purpose: string;
          readonly status: 'signed' | 'broadcasting' | 'landed' | 'failed' | 'finalized' | 'dead' | 'abandoned';
          /** Signature */
          readonly signature: string;
          readonly slot: number | null;
        }[];
      } | null;
      /** Cluster that everything is on */
      readonly network: 'mainnet-beta' | 'devnet' | 'testnet' | 'localnet';
    };
  };
  /** Candles of a token */
  'GET /tokens/{mint}/candles': {
    readonly query: {
      readonly interval?: '1m' | '5m' | '15m' | '1h' | '4h' | '1d';
      readonly currency?: 'usd' | 'quote';
      readonly from?: string;
      readonly to?: string;
      readonly limit?: number;
    };
    readonly body: undefined;
    readonly data: {
      /** Mint */
      readonly mint: string;
      /** Mint of the paired token */
      readonly quoteMint: string;
      readonly interval: '1m' | '5m' | '15m' | '1h' | '4h' | '1d';
      readonly currency: 'usd' | 'quote';
      readonly candles: readonly {
        /** Beginning of the span */
        readonly startedAt: string;
        /** Price before the first trade */
        readonly open: number;
        /** Highest price */
        readonly high: number;
        /** Lowest price */
        readonly low: number;
        /** Last price */
        readonly close: number;
        readonly volumeUsd: number | null;
        /** The same in tokens */
        readonly volumeTokens: number;
        /** The same, smallest units */
        readonly volumeRaw: string;
        /** Trades */
        readonly trades: number;
      }[];
      /** Whether it was traded before these spans: ask with an earlier `to`, or longer ones */
      readonly hasEarlier: boolean;
    };
  };
  /** Trades of a token */
  'GET /tokens/{mint}/trades': {
    readonly query: { readonly limit?: number; readonly cursor?: string };
    readonly body: undefined;
    readonly data: {
      /** Mint */
      readonly mint: string;
      /** Mint of the paired token */
      readonly quoteMint: string;
      readonly trades: readonly {
        /** Its transaction */
        readonly signature: string;
        /** Place among the swaps of the pool in it */
        readonly index: number;
        /** Slot */
        readonly slot: number;
        /** When */
        readonly tradedAt: string;
        readonly side: 'buy' | 'sell';
        /** Wallet that traded */
        readonly wallet: string;
        /** Tokens */
        readonly amountTokens: number;
        /** The same, smallest units */
        readonly amountRaw: string;
        /** Quote tokens */
        readonly quoteTokens: number;
        /** The same, smallest units */
        readonly quoteRaw: string;
        /** Quote tokens for one token, right after it */
        readonly priceQuote: number;
        readonly priceUsd: number | null;
        readonly valueUsd: number | null;
        /** Whether no fork can take it back */
        readonly finalized: boolean;
      }[];
      readonly pagination: {
        /** Entries at most */
        readonly limit: number;
        /** Whether there are older ones */
        readonly hasMore: boolean;
        readonly nextCursor: string | null;
      };
    };
  };
  /** Greatest holders of a token */
  'GET /tokens/{mint}/holders': {
    readonly query: { readonly limit?: number };
    readonly body: undefined;
    readonly data: {
      /** Mint */
      readonly mint: string;
      /** Slot of the answer of the chain */
      readonly slot: number;
      /** Owners of some */
      readonly total: number;
      readonly holders: readonly {
        /** From 1 */
        readonly rank: number;
        /** Owner */
        readonly owner: string;
        /** Tokens */
        readonly amountTokens: number;
        /** The same, smallest units */
        readonly amountRaw: string;
        /** Share of the supply that was launched, percent */
        readonly percent: number;
        readonly label: 'pool' | 'creator' | 'escrow' | 'platform' | 'burn' | 'program' | null;
      }[];
    };
  };
  /** Launch airdrop of a token */
  'GET /tokens/{mint}/airdrop': {
    readonly query: undefined;
    readonly body: undefined;
    readonly data: {
      /** Mint */
      readonly mint: string;
      readonly airdrop: {
        /** Where the recipients come from */
        readonly source: 'quote-holders';
        /** Size of the ranking */
        readonly tier: 'top100' | 'top1000' | 'top5000';
        /** Share of the supply that is held out of the pool, percent */
        readonly percent: number;
        /** The same in tokens */
        readonly tokens: number;
        /** The same, smallest units */
        readonly tokensRaw: string;
        /** Wallets that get some */
        readonly recipients: number;
        /** Price of the delivery for the creator, lamports */
        readonly feeLamports: number;
        readonly delivery: {
          readonly status: 'waiting' | 'delivering' | 'delivered';
          /** Wallets that have theirs */
          readonly deliveredRecipients: number;
          /** Sent to them, before the transfer tax */
          readonly deliveredTokens: number;
          /** The same, smallest units */
          readonly deliveredTokensRaw: string;
          readonly deliveredAt: string | null;
        };
        /** Slot at which the recipients were frozen */
        readonly snapshotSlot: number;
        /** sha256 of the recipients’ document, hex: `slipway verify airdrop --recipients-hash` compares it */
        readonly recipientsHash: string;
        /** Where that document lies */
        readonly recipientsUri: string;
        readonly seal: {
          /** Merkle root of the document (hex, 32 bytes): the seal names it as an account */
          readonly root: string;
          /** The document: who gets how much by which transaction */
          readonly documentUrl: string;
          readonly signature: string | null;
          readonly slot: number | null;
        } | null;
        readonly transferFee: {
          /** Tax on every transfer, in bps */
          readonly bps: 100 | 300;
        };
        /** Share of the supply, bps */
        readonly bps: number;
        /** The same, percent */
        readonly percentOfSupply: number;
        /** The same in tokens */
        readonly supplyTokens: number;
        /** Wallets that get some */
        readonly recipientCount: number;
        readonly quoteToken: {
          /** Symbol of the token whose holders they are */
          readonly symbol: string;
        };
        readonly settledAt: string | null;
      } | null;
    };
  };
  /** Burns of a token */
  'GET /tokens/{mint}/burns': {
    readonly query: { readonly limit?: number };
    readonly body: undefined;
    readonly data: {
      /** Mint */
      readonly mint: string;
      readonly totals: {
        /** Mint */
        readonly mint: string;
        /** Symbol */
        readonly symbol: string;
        /** Decimals */
        readonly decimals: number;
        /** All that was burned, in tokens */
        readonly amountTokens: number;
        /** The same, smallest units */
        readonly amountRaw: string;
        /** The same in percent of the supply that was launched */
        readonly percentOfSupply: number;
        /** Worth in USD; burns without a price count as zero */
        readonly valueUsdAtBurn: number;
        /** Burns */
        readonly burnCount: number;
        /** Burns without a price */
        readonly unpricedCount: number;
        readonly lastBurnAt: string | null;
      };
      readonly burns: readonly {
        /** Its transaction */
        readonly signature: string;
        readonly valueUsdAtBurn: number | null;
        /** Why it was burned: `auto` fees in the token itself, `buyback` and `flywheel` bought with revenue for it */
        readonly source: 'auto' | 'buyback' | 'flywheel' | 'quote-revenue' | 'reward' | 'kickstart';
        /** When */
        readonly burnedAt: string;
        /** Symbol */
        readonly symbol: string;
        /** Tokens */
        readonly amountTokens: number;
        /** The same, smallest units */
        readonly amountRaw: string;
      }[];
    };
  };
  /** Holder rewards of a token */
  'GET /tokens/{mint}/rewards': {
    readonly query: undefined;
    readonly body: undefined;
    readonly data: {
      /** Mint */
      readonly mint: string;
      /** Fee model */
      readonly mode: 'standard' | 'reward';
      /** Why there are none, for people; standard launches only */
      readonly message?: string;
      /** The paired token */
      readonly quote?: {
        /** Mint */
        readonly mint: string;
        /** Symbol */
        readonly symbol: string;
        /** Decimals of amounts */
        readonly decimals: number;
      };
      readonly rewards: {
        /** All that was paid, in quote tokens */
        readonly distributedTokens: number;
        /** The same, smallest units */
        readonly distributedRaw: string;
        /** The same in USD as of each payment; payments without a price count as zero */
        readonly distributedUsd: number;
        /** Payments to wallets, summed over rounds */
        readonly payoutCount: number;
        /** Wallets that were ever paid */
        readonly holderCount: number;
        /** Rounds that paid a holder */
        readonly roundCount: number;
        /** Transactions that paid a holder */
        readonly transactionCount: number;
        readonly lastPayoutAt: string | null;
        /** Collected for the next round, in quote tokens */
        readonly undistributedTokens: number;
        /** The same, smallest units */
        readonly undistributedRaw: string;
        readonly transferFee: {
          /** Tax on every transfer, in bps */
          readonly bps: 100 | 300;
        };
        readonly pending: {
          /** Collected for the next round, in quote tokens */
          readonly pendingTokens: number;
          /** The same, smallest units */
          readonly pendingRaw: string;
          /** The same in USD by the present price */
          readonly pendingUsd?: number;
          /** Tax that was collected and not sold yet, USD by the present price */
          readonly pendingTaxUsd?: number;
          /** USD for one quote token; left out while there is no fresh price */
          readonly quotePriceUsd?: number;
          /** Tax on every transfer, in bps */
          readonly transferTaxBps: 100 | 300;
          /** A wallet that holds less earns nothing, USD */
          readonly minHoldingUsd: number;
          /** A share that brings less is not paid, USD */
          readonly minPayoutUsd: number;
        };
        /** Collected for the next round, in quote tokens */
        readonly pendingTokens: number;
        /** The same, smallest units */
        readonly pendingRaw: string;
        /** The same in USD by the present price */
        readonly pendingUsd?: number;
        /** Tax that was collected and not sold yet, USD by the present price */
        readonly pendingTaxUsd?: number;
        /** USD for one quote token; left out while there is no fresh price */
        readonly quotePriceUsd?: number;
        /** Tax on every transfer, in bps */
        readonly transferTaxBps: 100 | 300;
        /** A wallet that holds less earns nothing, USD */
        readonly minHoldingUsd: number;
        /** A share that brings less is not paid, USD */
        readonly minPayoutUsd: number;
      } | null;
      readonly base?: object | null;
    };
  };
  /** Reward rounds of a token */
  'GET /tokens/{mint}/rewards/rounds': {
    readonly query: { readonly page?: number; readonly pageSize?: number };
    readonly body: undefined;
    readonly data: {
      /** Mint */
      readonly mint: string;
      /** The paired token */
      readonly quote: {
        /** Mint */
        readonly mint: string;
        /** Symbol */
        readonly symbol: string;
        /** Decimals of amounts */
        readonly decimals: number;
      };
      /** The newest first */
      readonly rounds: readonly {
        /** From 1, without gaps */
        readonly number: number;
        /** Id in its transactions */
        readonly id: string;
        /** A round shows once its observations are over */
        readonly state: 'collecting' | 'selling' | 'sealing' | 'paying' | 'done';
        /** Finalized slot at which it was planned */
        readonly openedSlot: number;
        /** When it was planned */
        readonly openedAt: string;
        readonly windowSlot: number | null;
        readonly windowSlots: number | null;
        readonly endedAt: string | null;
        /** Enough to draw every moment again */
        readonly observations: readonly {
          /** Place among the observations of the round, from 0 */
          readonly n: number;
          /** Slot of the block that drew the moment: balances count from it on */
          readonly slot: number;
          /** Its blockhash, which anybody can draw again by docs/verify.md */
          readonly blockhash: string;
          /** Finalized slot that a quorum of the answers with the balances had reached */
          readonly readSlot: number;
          /** Of each RPC endpoint that answered */
          readonly answerSlots: readonly number[];
          /** A balance is the one at this place, the largest first, among those of the answers */
          readonly quorum: number;
        }[];
        readonly division: {
          /** Divided amount, in quote tokens */
          readonly budgetTokens: number;
          /** The same, smallest units */
          readonly budgetRaw: string;
          /** Tokens that had to be held at every observation */
          readonly minimumHoldingTokens: number;
          /** The same, smallest units */
          readonly minimumHoldingRaw: string;
          /** Least amount of a payout, in quote tokens */
          readonly leastPayoutTokens: number;
          /** The same, smallest units */
          readonly leastPayoutRaw: string;
          /** Average price that holdings were valued by, quote tokens per token */
          readonly averagePrice: number;
          /** USD per quote token */
          readonly quoteUsd: number;
          /** Wallets that held enough at every observation and may earn */
          readonly holderCount: number;
        } | null;
        readonly seal: {
          /** Merkle root of the document (hex, 32 bytes): the seal names it as an account */
          readonly root: string;
          /** The document: who was seen with how much, who is paid how much by which transaction, and why others are not */
          readonly documentUrl: string;
          /** Its rows */
          readonly rowCount: number;
          /** Its length */
          readonly byteCount: number;
          /** The final transaction that sealed it. Payouts are signed only then */
          readonly signature: string;
          /** Slot of that transaction */
          readonly slot: number;
          /** When it landed */
          readonly sealedAt: string;
        } | null;
        /** Paid to holders, in quote tokens: finalized payouts only */
        readonly paidTokens: number;
        /** The same, smallest units */
        readonly paidRaw: string;
        /** The same in USD; payments without a price count as zero */
        readonly paidUsd: number;
        /** Wallets that were paid */
        readonly recipientCount: number;
        /** Wallets that got nothing */
        readonly leftOutCount: number;
        /** The most frequent reason first */
        readonly leftOut: readonly {
          /** Why they got nothing */
          readonly reason:
            | 'belowMinimum'
            | 'notThroughout'
            | 'pool'
            | 'platformWallet'
            | 'burnAddress'
            | 'offCurve'
            | 'programOwned'
            | 'belowLeastPayout'
            | 'accountClosed'
            | 'accountForeign'
            | 'accountFrozen'
            | 'accountNeedsMemo'
            | 'closedByOperator'
            | 'notRecorded';
          /** Wallets */
          readonly ownerCount: number;
        }[];
        readonly note: string | null;
      }[];
      readonly pagination: {
        /** The answered page, from 1 */
        readonly page: number;
        /** Entries on a page */
        readonly pageSize: number;
        /** Entries on all pages */
        readonly total: number;
        /** Pages; 0 for an empty list */
        readonly totalPages: number;
        /** Whether a later page has entries: stop where it is false, because a page behind the last answers the last */
        readonly hasMore: boolean;
      };
    };
  };
  /** Holders who got nothing of a reward round, and why */
  'GET /tokens/{mint}/rewards/rounds/{number}/left-out': {
    readonly query: { readonly page?: number; readonly pageSize?: number };
    readonly body: undefined;
    readonly data: {
      /** Mint */
      readonly mint: string;
      /** Number of the round */
      readonly number: number;
      /** Greatest holders first */
      readonly leftOut: readonly {
        /** Wallet, or whatever else held */
        readonly owner: string;
        /** Why they got nothing */
        readonly reason:
          | 'belowMinimum'
          | 'notThroughout'
          | 'pool'
          | 'platformWallet'
          | 'burnAddress'
          | 'offCurve'
          | 'programOwned'
          | 'belowLeastPayout'
          | 'accountClosed'
          | 'accountForeign'
          | 'accountFrozen'
          | 'accountNeedsMemo'
          | 'closedByOperator'
          | 'notRecorded';
        /** The least that it held at the observations, in tokens */
        readonly heldTokens: number;
        /** The same, smallest units */
        readonly heldRaw: string;
      }[];
      readonly pagination: {
        /** The answered page, from 1 */
        readonly page: number;
        /** Entries on a page */
        readonly pageSize: number;
        /** Entries on all pages */
        readonly total: number;
        /** Pages; 0 for an empty list */
        readonly totalPages: number;
        /** Whether a later page has entries: stop where it is false, because a page behind the last answers the last */
        readonly hasMore: boolean;
      };
    };
  };
  /** Statement of a reward coin’s pot */
  'GET /tokens/{mint}/rewards/statement': {
    readonly query: { readonly limit?: number; readonly cursor?: string };
    readonly body: undefined;
    readonly data: {
      /** Mint */
      readonly mint: string;
      /** The wallet that holds the rewards of this coin alone */
      readonly pot: string;
      /** The paired token */
      readonly quote: {
        /** Mint */
        readonly mint: string;
        /** Symbol */
        readonly symbol: string;
        /** Decimals of amounts */
        readonly decimals: number;
      };
      /** The oldest booking first. Rows are only ever added */
      readonly movements: readonly {
        /** Place in the statement, from 1 and without gaps: the order of the bookings */
        readonly number: number;
        /** Of a pot: `tax` and `excess` are withdrawn tax, `harvest` fees, `sale` coins for quote tokens, `payout` goes to holders, `correction` is an operator’s and names no transaction. Of a budget: `share` of a harvest, `purchase` by a swap. Of the revenue: `harvest` */
        readonly kind: 'tax' | 'excess' | 'harvest' | 'sale' | 'payout' | 'correction' | 'share' | 'purchase';
        /** The coin that it is about */
        readonly mint: string;
        readonly roundId: string | null;
        readonly signature: string | null;
        readonly slot: number | null;
        readonly landedAt: string | null;
        readonly valueUsd: number | null;
        /** When this row was written */
        readonly bookedAt: string;
        /** Coins that came in */
        readonly baseInTokens: number;
        /** The same, smallest units */
        readonly baseInRaw: string;
        /** Coins that left */
        readonly baseOutTokens: number;
        /** The same, smallest units */
        readonly baseOutRaw: string;
        /** Quote tokens that came in */
        readonly quoteInTokens: number;
        /** The same, smallest units */
        readonly quoteInRaw: string;
        /** Quote tokens that left */
        readonly quoteOutTokens: number;
        /** The same, smallest units */
        readonly quoteOutRaw: string;
        readonly harvest: {
          /** Quote tokens that it brought to the treasury */
          readonly quoteTokens: number;
          /** The same, smallest units */
          readonly quoteRaw: string;
          /** Share of it for this budget, in bps, rounded down */
          readonly shareBps: number;
        } | null;
      }[];
      /** Of this page and all before it */
      readonly totals: {
        /** Coins that came in */
        readonly baseInTokens: number;
        /** The same, smallest units */
        readonly baseInRaw: string;
        /** Coins that left */
        readonly baseOutTokens: number;
        /** The same, smallest units */
        readonly baseOutRaw: string;
        /** Quote tokens that came in */
        readonly quoteInTokens: number;
        /** The same, smallest units */
        readonly quoteInRaw: string;
        /** Quote tokens that left */
        readonly quoteOutTokens: number;
        /** The same, smallest units */
        readonly quoteOutRaw: string;
        /** Coins that are held: in less out */
        readonly baseHeldTokens: number;
        /** The same, smallest units */
        readonly baseHeldRaw: string;
        /** Quote tokens that are held: in less out */
        readonly quoteHeldTokens: number;
        /** The same, smallest units */
        readonly quoteHeldRaw: string;
      };
      /** Where the list goes on */
      readonly pagination: {
        /** Entries at most */
        readonly limit: number;
        /** Whether there are later ones already */
        readonly hasMore: boolean;
        /** Where the next page begins: never null, so that a reader can ask for later entries there */
        readonly nextCursor: string;
      };
    };
  };
  /** Launch ledger */
  'GET /launches': {
    readonly query: {
      readonly creator?: string;
      readonly mode?: 'standard' | 'reward';
      readonly since?: string;
      readonly airdrop?: boolean;
      readonly page?: number;
      readonly pageSize?: number;
    };
    readonly body: undefined;
    readonly data: {
      readonly launches: readonly {
        /** Id of its signed quote */
        readonly quoteId: string;
        /** Name */
        readonly name: string;
        /** Symbol */
        readonly symbol: string;
        /** Wallet that launched it */
        readonly creator: string;
        /** Wallet that got the Fee Key, if the creator named one */
        readonly feeRecipient?: string;
        /** Venue of the pool */
        readonly launchpad: 'raydium';
        /** Fee model */
        readonly mode: 'standard' | 'reward';
        /** The paired token */
        readonly quote: {
          /** Mint */
          readonly mint: string;
          /** Symbol */
          readonly symbol: string;
        };
        /** Mint of the paired token */
        readonly quoteMint: string;
        /** Its symbol */
        readonly quoteSymbol: string;
        readonly transferFee?: {
          /** Tax on every transfer, in bps */
          readonly bps: 100 | 300;
        };
        /** Standard launches only */
        readonly feeTier?: '1%' | '2%';
        /** Tax on every transfer, in bps */
        readonly rewardTaxBps?: 100 | 300;
        /** Fee of the pool, percent */
        readonly poolFeePercent: number;
        /** Market cap at which the pool opens, USD */
        readonly startMarketCapUsd: number;
        /** Market cap that is aimed at, USD */
        readonly targetMarketCapUsd: number;
        readonly payment: {
          /** Price for the creator, lamports */
          readonly lamports: number;
        };
        readonly devBuy: {
          /** Tokens that the pool gives */
          readonly tokens: number;
          /** The same, smallest units */
          readonly tokensRaw: string;
          /** Tokens that reach the creator after the transfer tax; reward launches only */
          readonly netTokens?: number;
          /** The same, smallest units */
          readonly netTokensRaw?: string;
          /** Price for the creator, lamports */
          readonly lamports: number;
        } | null;
        readonly airdrop: {
          /** Where the recipients come from */
          readonly source: 'quote-holders';
          /** Size of the ranking */
          readonly tier: 'top100' | 'top1000' | 'top5000';
          /** Share of the supply that is held out of the pool, percent */
          readonly percent: number;
          /** The same in tokens */
          readonly tokens: number;
          /** The same, smallest units */
          readonly tokensRaw: string;
          /** Wallets that get some */
          readonly recipients: number;
          /** Price of the delivery for the creator, lamports */
          readonly feeLamports: number;
          /** Transactions of its own deliver it after the launch has completed; `/tokens/{mint}/airdrop` says how far */
          readonly delivery: 'afterLaunch';
          /** Slot at which the recipients were frozen */
          readonly snapshotSlot: number;
          /** sha256 of the recipients’ document, hex: `slipway verify airdrop --recipients-hash` compares it */
          readonly recipientsHash: string;
        } | null;
        /** Wallet that the launch is made from */
        readonly launchWallet: string;
        /** Once the token is live */
        readonly feeKeyMints?: readonly string[];
        /** Of the fee payment; its key in the status endpoint */
        readonly paymentSignature: string;
        readonly status: 'completed';
        /** Mint */
        readonly mint: string;
        /** Pool */
        readonly pool: string;
        /** Logo */
        readonly logoUrl: string;
        /** When it was launched */
        readonly createdAt: string;
        /** Only while an admin hides the token from market list, search and asset index; always true */
        readonly hidden?: boolean;
        /** Share of the supply that was given away at launch, bps; only with an airdrop */
        readonly airdropBps?: number;
        /** The same, smallest units */
        readonly airdropSupplyRaw?: string;
        /** Delivered so far, before the transfer tax, smallest units */
        readonly airdropDeliveredRaw?: string;
      }[];
      readonly pagination: {
        /** The answered page, from 1 */
        readonly page: number;
        /** Entries on a page */
        readonly pageSize: number;
        /** Entries on all pages */
        readonly total: number;
        /** Pages; 0 for an empty list */
        readonly totalPages: number;
        /** Whether a later page has entries: stop where it is false, because a page behind the last answers the last */
        readonly hasMore: boolean;
      };
      /** Figures of this creator’s launches; only with the filter `creator` */
      readonly creator?: {
        /** The creator */
        readonly wallet: string;
        /** Launches in all, whatever the other filters */
        readonly launches: number;
        /** Those that graduated */
        readonly graduated: number;
        /** Those that traded within the last 24 hours */
        readonly stillTraded: number;
      };
      /** Cluster that everything is on */
      readonly network: 'mainnet-beta' | 'devnet' | 'testnet' | 'localnet';
    };
  };
  /** Launchable pairs */
  'GET /pairs': {
    readonly query: { readonly category?: string; readonly launchable?: boolean };
    readonly body: undefined;
    readonly data: {
      readonly pairs: readonly {
        /** Pass it to launch prepare as `quoteMint` */
        readonly mint: string;
        /** Symbol; several pairs can have one */
        readonly symbol: string;
        /** Name */
        readonly name: string;
        /** Decimals */
        readonly decimals: number;
        /** Logo; the platform’s where none is known */
        readonly logoUrl: string;
        /** Category */
        readonly category: string;
        /** The same for people */
        readonly categoryLabel: string;
        /** Program that owns the mint: SPL Token or Token-2022 */
        readonly tokenProgram: string;
        /** Whether a new launch may pair with it */
        readonly launchable: boolean;
        /** Whether a new launch with it can have a dev buy, as far as stock and a steady price allow */
        readonly devBuysEnabled: boolean;
        /** Whether another pair has this symbol, in any case */
        readonly symbolAmbiguous: boolean;
        /** USD for one token; left out while there is no fresh price */
        readonly priceUsd?: number;
      }[];
      /** The field that names a pair: symbols are not unique */
      readonly selectBy: 'mint';
      /** Symbols that more than one pair has */
      readonly ambiguousSymbolCount: number;
    };
  };
  /** Rewards overview */
  'GET /rewards': {
    readonly query: { readonly limit?: number; readonly since?: string; readonly cursor?: string };
    readonly body: undefined;
    readonly data: {
      /** Every coin that has paid, from the most quote tokens down; empty on pages after the first */
      readonly launches: readonly {
        /** Mint */
        readonly mint: string;
        /** Name */
        readonly name: string;
        /** Symbol */
        readonly symbol: string;
        /** The paired token */
        readonly quote: {
          /** Mint */
          readonly mint: string;
          /** Symbol */
          readonly symbol: string;
          /** Decimals of amounts */
          readonly decimals: number;
        };
        /** All that was paid, in quote tokens */
        readonly distributedTokens: number;
        /** The same, smallest units */
        readonly distributedRaw: string;
        /** The same in USD as of each payment; payments without a price count as zero */
        readonly distributedUsd: number;
        /** Payments to wallets, summed over rounds */
        readonly payoutCount: number;
        /** Wallets that were ever paid */
        readonly holderCount: number;
        /** Rounds that paid a holder */
        readonly roundCount: number;
        /** Transactions that paid a holder */
        readonly transactionCount: number;
        readonly lastPayoutAt: string | null;
      }[];
      /** The newest first */
      readonly recentDistributions: readonly {
        /** The transaction, which pays the holders of this coin alone */
        readonly signature: string;
        /** Mint */
        readonly mint: string;
        /** Symbol */
        readonly symbol: string;
        /** Mint of the quote token, which it was paid in */
        readonly quoteMint: string;
        /** Its symbol */
        readonly quoteSymbol: string;
        /** All that was paid, in quote tokens */
        readonly amountTokens: number;
        /** The same, smallest units */
        readonly amountRaw: string;
        /** The same in USD; left out where no price of that time is known */
        readonly amountUsd?: number;
        /** Wallets that were paid */
        readonly holderCount: number;
        /** Slot */
        readonly slot: number;
        /** When */
        readonly distributedAt: string;
      }[];
      /** Empty: rewards are paid in the quote token */
      readonly baseDistributions: readonly object[];
      /** Empty: rewards are paid in the quote token */
      readonly recentBaseDistributions: readonly object[];
      readonly pagination: {
        /** Entries at most */
        readonly limit: number;
        /** Whether there are older ones */
        readonly hasMore: boolean;
        readonly nextCursor: string | null;
      };
    };
  };
  /** Fee revenue, buybacks and burns */
  'GET /revenue': {
    readonly query: { readonly limit?: number };
    readonly body: undefined;
    readonly data: {
      readonly revenue: {
        /** Quote-token fees claimed to the treasury, USD when they were claimed */
        readonly totalRevenueUsd: number;
        /** Fees that are left out of it: none */
        readonly platformPairExcludedUsd: number;
        /** Share of it for buying the platform token back and burning it, USD */
        readonly holdersRevenueUsd: number;
        /** The rest, USD */
        readonly protocolRevenueUsd: number;
        /** Share of the rest for buying and burning ranked tokens, USD */
        readonly flywheelRevenueUsd: number;
        /** Sweeps that it comes from */
        readonly harvestCount: number;
        /** Sweeps without a price, which count as zero */
        readonly unpricedCount: number;
        /** Paid for the platform token, USD */
        readonly totalBuybackUsd: number;
        /** Tokens bought for it */
        readonly boughtBackTokens: number;
        /** Counted value, USD: the amount paid */
        readonly boughtBackValueUsd: number;
        /** Purchases */
        readonly buybackCount: number;
        readonly lastBuybackAt: string | null;
      };
      readonly burns: {
        /** Worth of all burned tokens, USD */
        readonly totalValueUsdAtBurn: number;
        /** Burns */
        readonly burnCount: number;
        /** Tokens of which something was burned */
        readonly mintCount: number;
        /** Burns without a price, which count as zero */
        readonly unpricedCount: number;
        readonly bySource: {
          readonly auto?: {
            /** Tokens of all mints, one added to the other */
            readonly amountTokens: number;
            /** Worth at the burn, USD */
            readonly valueUsd: number;
            /** Burns */
            readonly count: number;
          };
          readonly buyback?: {
            /** Tokens of all mints, one added to the other */
            readonly amountTokens: number;
            /** Worth at the burn, USD */
            readonly valueUsd: number;
            /** Burns */
            readonly count: number;
          };
          readonly flywheel?: {
            /** Tokens of all mints, one added to the other */
            readonly amountTokens: number;
            /** Worth at the burn, USD */
            readonly valueUsd: number;
            /** Burns */
            readonly count: number;
          };
          readonly 'quote-revenue'?: {
            /** Tokens of all mints, one added to the other */
            readonly amountTokens: number;
            /** Worth at the burn, USD */
            readonly valueUsd: number;
            /** Burns */
            readonly count: number;
          };
          readonly reward?: {
            /** Tokens of all mints, one added to the other */
            readonly amountTokens: number;
            /** Worth at the burn, USD */
            readonly valueUsd: number;
            /** Burns */
            readonly count: number;
          };
          readonly kickstart?: {
            /** Tokens of all mints, one added to the other */
            readonly amountTokens: number;
            /** Worth at the burn, USD */
            readonly valueUsd: number;
            /** Burns */
            readonly count: number;
          };
        };
      };
      readonly config: {
        /** Whether revenue buys the platform token */
        readonly buybacksEnabled: boolean;
        /** Whether what is bought is burned */
        readonly buybackBurnEnabled: boolean;
      };
      /** The newest first */
      readonly recentBuybacks: readonly {
        /** The swap */
        readonly signature: string;
        /** The paired token */
        readonly quote: {
          /** Mint */
          readonly mint: string;
          /** Symbol */
          readonly symbol: string;
        };
        /** Mint of the platform token */
        readonly mint: string;
        /** Its symbol */
        readonly symbol: string;
        /** Quote tokens that were paid */
        readonly spentTokens: number;
        /** The same, smallest units */
        readonly spentRaw: string;
        readonly spentValueUsd: number | null;
        /** Tokens that were bought */
        readonly boughtTokens: number;
        /** The same, smallest units */
        readonly boughtRaw: string;
        readonly boughtValueUsd: number | null;
        readonly burnSignature: string | null;
        /** When */
        readonly boughtAt: string;
      }[];
      /** The newest first */
      readonly recentHarvests: readonly {
        /** Its transaction */
        readonly signature: string;
        /** Mint */
        readonly mint: string;
        /** Symbol */
        readonly symbol: string;
        /** The paired token */
        readonly quote: {
          /** Mint */
          readonly mint: string;
          /** Symbol */
          readonly symbol: string;
        };
        /** Quote tokens that reached the treasury */
        readonly quoteTokens: number;
        /** The same, smallest units */
        readonly quoteRaw: string;
        /** Tokens that are burned */
        readonly baseTokens: number;
        /** The same, smallest units */
        readonly baseRaw: string;
        /** USD for one quote token; left out where there was no steady price */
        readonly quotePriceUsd?: number;
        /** Where that is from */
        readonly priceSource?: string;
        /** When it was read */
        readonly pricedAt?: string;
        readonly valueUsd: number | null;
        /** When */
        readonly harvestedAt: string;
      }[];
      /** The newest first */
      readonly recentBurns: readonly {
        /** Its transaction */
        readonly signature: string;
        readonly valueUsdAtBurn: number | null;
        /** Why it was burned: `auto` fees in the token itself, `buyback` and `flywheel` bought with revenue for it */
        readonly source: 'auto' | 'buyback' | 'flywheel' | 'quote-revenue' | 'reward' | 'kickstart';
        /** When */
        readonly burnedAt: string;
        /** Mint */
        readonly mint: string;
        readonly symbol: string | null;
        readonly amountTokens: number | null;
        /** The same, smallest units */
        readonly amountRaw: string;
      }[];
    };
  };
  /** Daily revenue series */
  'GET /revenue/history': {
    readonly query: undefined;
    readonly body: undefined;
    readonly data: {
      /** Cluster that everything is on */
      readonly network: 'mainnet-beta' | 'devnet' | 'testnet' | 'localnet';
      readonly unit: 'USD';
      /** The first day */
      readonly start: string;
      /** Where the figures come from */
      readonly source: 'ledger';
      /** Entries without a price count as zero */
      readonly coverage: {
        /** Entries of revenue */
        readonly revenueRows: number;
        /** Those of them without a price */
        readonly revenueRowsUnpriced: number;
        /** Purchases of the platform token */
        readonly buybackRows: number;
        /** Those of them without a price */
        readonly buybackRowsUnpriced: number;
      };
      /** Every UTC day from `start` to today, the oldest first */
      readonly days: readonly {
        /** UTC day */
        readonly date: string;
        /** Quote-token fees claimed to the treasury, valued when they were claimed */
        readonly dailyRevenue: number;
        /** The share of it that is set aside to buy the platform token back and burn it; it may be spent on a later day */
        readonly dailyHoldersRevenue: number;
        /** The rest */
        readonly dailyProtocolRevenue: number;
        /** Paid for the platform token that day, at the prices of planning */
        readonly dailyHoldersSpent: number;
      }[];
    };
  };
  /** The platform’s own wallets */
  'GET /platform/wallets': {
    readonly query: {
      readonly limit?: number;
      readonly cursor?: string;
      readonly role?: 'treasury' | 'platform' | 'rewards' | 'restock' | 'receipts' | 'lane' | 'launch' | 'pot';
    };
    readonly body: undefined;
    readonly data: {
      /** The oldest first. Entries are only ever added */
      readonly wallets: readonly {
        /** Place in the list, from 1 and without gaps */
        readonly number: number;
        /** `treasury` gets fees and pays for dev buys and purchases; `platform` pays for transactions; `rewards` withdraws the tax of reward coins; `restock` buys quote tokens; `receipts` signs receipts and holds nothing; `lane` is a mint whose supply counts transactions; `launch` pays for one launch; `pot` holds the rewards of one coin */
        readonly role: 'treasury' | 'platform' | 'rewards' | 'restock' | 'receipts' | 'lane' | 'launch' | 'pot';
        /** The address */
        readonly address: string;
        readonly mint: string | null;
        /** `used`: it has this role from the slot on; `retired`: it no longer has it */
        readonly event: 'used' | 'retired';
        /** Slot from which this holds */
        readonly slot: number;
        /** When this entry was written */
        readonly notedAt: string;
      }[];
      /** Where the list goes on */
      readonly pagination: {
        /** Entries at most */
        readonly limit: number;
        /** Whether there are later ones already */
        readonly hasMore: boolean;
        /** Where the next page begins: never null, so that a reader can ask for later entries there */
        readonly nextCursor: string;
      };
    };
  };
  /** The newest log of receipts and wallets */
  'GET /platform/log': {
    readonly query: undefined;
    readonly body: undefined;
    readonly data: {
      readonly log: {
        /** Number of the log, from 1 */
        readonly number: number;
        /** Merkle root of its document (hex, 32 bytes): its seal names it as an account */
        readonly root: string;
        /** The document: the sha256 of each receipt, what the list of wallets was, and prices for reward rounds */
        readonly documentUrl: string;
        /** The final transaction that sealed it */
        readonly signature: string;
        /** Slot of that transaction */
        readonly slot: number;
      } | null;
    };
  };
  /** Statement of a budget of the treasury */
  'GET /platform/statement': {
    readonly query: {
      readonly limit?: number;
      readonly cursor?: string;
      readonly quoteMint: string;
      readonly budget?: 'revenue' | 'buyback' | 'flywheel';
    };
    readonly body: undefined;
    readonly data: {
      /** `buyback` buys the platform token, `flywheel` the ranked tokens, both burn them; `revenue` is every harvest of the platform’s positions */
      readonly budget: 'revenue' | 'buyback' | 'flywheel';
      /** The paired token */
      readonly quote: {
        /** Mint */
        readonly mint: string;
        /** Symbol */
        readonly symbol: string;
        /** Decimals of amounts */
        readonly decimals: number;
      };
      /** The oldest booking first. Rows are only ever added */
      readonly movements: readonly {
        /** Place in the statement, from 1 and without gaps: the order of the bookings */
        readonly number: number;
        /** Of a pot: `tax` and `excess` are withdrawn tax, `harvest` fees, `sale` coins for quote tokens, `payout` goes to holders, `correction` is an operator’s and names no transaction. Of a budget: `share` of a harvest, `purchase` by a swap. Of the revenue: `harvest` */
        readonly kind: 'tax' | 'excess' | 'harvest' | 'sale' | 'payout' | 'correction' | 'share' | 'purchase';
        /** The coin that it is about */
        readonly mint: string;
        readonly roundId: string | null;
        readonly signature: string | null;
        readonly slot: number | null;
        readonly landedAt: string | null;
        readonly valueUsd: number | null;
        /** When this row was written */
        readonly bookedAt: string;
        /** Coins that came in */
        readonly baseInTokens: number;
        /** The same, smallest units */
        readonly baseInRaw: string;
        /** Coins that left */
        readonly baseOutTokens: number;
        /** The same, smallest units */
        readonly baseOutRaw: string;
        /** Quote tokens that came in */
        readonly quoteInTokens: number;
        /** The same, smallest units */
        readonly quoteInRaw: string;
        /** Quote tokens that left */
        readonly quoteOutTokens: number;
        /** The same, smallest units */
        readonly quoteOutRaw: string;
        readonly harvest: {
          /** Quote tokens that it brought to the treasury */
          readonly quoteTokens: number;
          /** The same, smallest units */
          readonly quoteRaw: string;
          /** Share of it for this budget, in bps, rounded down */
          readonly shareBps: number;
        } | null;
      }[];
      /** Of this page and all before it */
      readonly totals: {
        /** Coins that came in */
        readonly baseInTokens: number;
        /** The same, smallest units */
        readonly baseInRaw: string;
        /** Coins that left */
        readonly baseOutTokens: number;
        /** The same, smallest units */
        readonly baseOutRaw: string;
        /** Quote tokens that came in */
        readonly quoteInTokens: number;
        /** The same, smallest units */
        readonly quoteInRaw: string;
        /** Quote tokens that left */
        readonly quoteOutTokens: number;
        /** The same, smallest units */
        readonly quoteOutRaw: string;
        /** Coins that are held: in less out */
        readonly baseHeldTokens: number;
        /** The same, smallest units */
        readonly baseHeldRaw: string;
        /** Quote tokens that are held: in less out */
        readonly quoteHeldTokens: number;
        /** The same, smallest units */
        readonly quoteHeldRaw: string;
      };
      /** Where the list goes on */
      readonly pagination: {
        /** Entries at most */
        readonly limit: number;
        /** Whether there are later ones already */
        readonly hasMore: boolean;
        /** Where the next page begins: never null, so that a reader can ask for later entries there */
        readonly nextCursor: string;
      };
    };
  };
  /** Aggregates and switches */
  'GET /stats': {
    readonly query: undefined;
    readonly body: undefined;
    readonly data: {
      /** Cluster that everything is on */
      readonly network: 'mainnet-beta' | 'devnet' | 'testnet' | 'localnet';
      readonly tokens: {
        /** Whether there is market data */
        readonly poolsAvailable: boolean;
        /** Tokens with a live pool */
        readonly total: number;
        /** Those of them that have graduated */
        readonly graduated: number;
        /** Those that are about to */
        readonly aboutToGraduate: number;
        /** Reward coins */
        readonly rewardLaunches: number;
        /** USD */
        readonly totalMarketCapUsd: number;
        /** USD */
        readonly totalVolume24hUsd: number;
        /** USD */
        readonly totalLiquidityUsd: number;
      };
      readonly launches: {
        /** Launches that completed */
        readonly total: number;
        /** Those of the last 24 hours */
        readonly last24h: number;
        /** Wallets that launched */
        readonly creators: number;
      };
      readonly pairs: {
        /** Quote tokens that a launch can pair with */
        readonly launchable: number;
      };
      readonly revenue: {
        /** Fees claimed to the treasury, USD when they were claimed */
        readonly totalRevenueUsd: number;
        /** Paid for the platform token, USD */
        readonly totalBuybackUsd: number;
      };
      readonly burns: {
        /** USD */
        readonly totalValueUsdAtBurn: number;
        /** Burns */
        readonly burnCount: number;
      };
      readonly config: {
        /** Market cap that graduates a token */
        readonly graduationMarketCapUsd: number;
        /** Market cap from which on it is about to */
        readonly aboutToGraduateMarketCapUsd: number;
        /** Market cap at which a pool opens */
        readonly openingMarketCapUsd: number;
        /** Whether launch prepare and submit are open */
        readonly paidLaunchesEnabled: boolean;
        /** The same */
        readonly apiLaunchesEnabled: boolean;
        /** Whether fees can be claimed */
        readonly claimsEnabled: boolean;
        /** Whether anyone can launch a reward coin */
        readonly rewardLaunchesEnabled: boolean;
        /** Whether a reward launch needs the admin password */
        readonly rewardLaunchesAdminOnly: boolean;
        /** Whether launches can have a dev buy */
        readonly devBuysEnabled: boolean;
        /** Greatest share of the supply that a dev buy takes, percent */
        readonly devBuyMaxPercent: number;
        /** Whether reward launches can have an airdrop */
        readonly airdropsEnabled: boolean;
        /** Greatest share of the supply of an airdrop, percent */
        readonly airdropMaxPercent: number;
        /** Wallets of the greatest airdrop tier */
        readonly airdropMaxRecipients: number;
        /** A venue that this platform has not */
        readonly launchLabEnabled: boolean;
        /** A venue that this platform has not */
        readonly pumpLaunchesEnabled: boolean;
        /** Tokens of a launch */
        readonly tokenSupply: number;
        /** Their decimals */
        readonly tokenDecimals: number;
        /** Longest name */
        readonly nameMaxBytes: number;
        /** Longest symbol */
        readonly symbolMaxBytes: number;
        /** Greatest logo */
        readonly logoMaxBytes: number;
      };
      /** The payout rule of reward coins */
      readonly payoutRule: {
        /** Least holding that earns rewards, USD */
        readonly minHoldingUsd: number;
        /** Least share that is paid, USD; smaller ones stay in the pot */
        readonly minPayoutUsd: number;
      };
      readonly platform: {
        /** Name of this deployment */
        readonly environment: string;
        /** Exchange of the pools */
        readonly exchange: string;
        readonly tokenMint: string | null;
      };
    };
  };
  /** A wallet: launches, Fee Keys, claimable fees */
  'GET /wallets/{wallet}': {
    readonly query: { readonly limit?: number; readonly cursor?: string };
    readonly body: undefined;
    readonly data: {
      /** The wallet */
      readonly wallet: string;
      /** Launches of this wallet in the ledger; `GET /launches?creator=` lists them */
      readonly launchCount: number;
      /** Standard launches of this wallet or that gave it the Fee Key, and those whose Fee Key it held when it prepared a claim; newest launch first */
      readonly positions: readonly {
        /** Mint of the launched token */
        readonly mint: string;
        /** Its name */
        readonly name: string;
        /** Its symbol */
        readonly symbol: string;
        /** Pool */
        readonly pool: string;
        /** Wallet that launched it */
        readonly creator: string;
        /** When it was launched */
        readonly createdAt: string;
        /** Its Fee Key */
        readonly feeKey: {
          /** Mint of the Fee Key */
          readonly mint: string;
          readonly holder: string | null;
          /** Whether this wallet holds it, as the chain has it now; false with `claimable: null`: not known */
          readonly isHeld: boolean;
        };
        /** Null while the chain does not answer for this position: ask again */
        readonly claimable: {
          readonly base: {
            /** Mint */
            readonly mint: string;
            /** Symbol */
            readonly symbol: string;
            /** Decimals */
            readonly decimals: number;
            /** Tokens */
            readonly amountTokens: number;
            /** The same, smallest units */
            readonly amountRaw: string;
            /** Its worth, USD; left out while there is no fresh price */
            readonly amountUsd?: number;
          };
          readonly quote: {
            /** Mint */
            readonly mint: string;
            /** Symbol */
            readonly symbol: string;
            /** Decimals */
            readonly decimals: number;
            /** Tokens */
            readonly amountTokens: number;
            /** The same, smallest units */
            readonly amountRaw: string;
            /** Its worth, USD; left out while there is no fresh price */
            readonly amountUsd?: number;
          };
        } | null;
      }[];
      readonly pagination: {
        /** Entries at most */
        readonly limit: number;
        /** Whether there are older ones */
        readonly hasMore: boolean;
        readonly nextCursor: string | null;
      };
    };
  };
  /** Rewards of a wallet */
  'GET /wallets/{wallet}/rewards': {
    readonly query: { readonly limit?: number; readonly since?: string; readonly cursor?: string };
    readonly body: undefined;
    readonly data: {
      /** The wallet */
      readonly wallet: string;
      /** Sums by whole UTC day and coin, newest first: of the last 30 days, or from the day of `since` (at most 366 days back); 1000 rows and the newest 10000 payments at most; empty on pages after the first */
      readonly days: readonly {
        /** UTC day */
        readonly date: string;
        /** Mint of the coin */
        readonly mint: string;
        /** Its symbol */
        readonly symbol: string;
        /** Mint of what was paid */
        readonly quoteMint: string;
        /** Its symbol */
        readonly quoteSymbol: string;
        /** Paid to the wallet for this coin that day, in quote tokens */
        readonly amountTokens: number;
        /** The same, smallest units */
        readonly amountRaw: string;
        /** The same in USD; payouts without a price count as zero */
        readonly valueUsd: number;
        /** Payments */
        readonly payoutCount: number;
      }[];
      /** The newest first. A row never changes */
      readonly payouts: readonly {
        /** UTC day */
        readonly date: string;
        /** When its transaction landed */
        readonly paidAt: string;
        /** Mint of the coin */
        readonly mint: string;
        /** Its symbol */
        readonly symbol: string;
        /** Mint of what was paid */
        readonly quoteMint: string;
        /** Its symbol */
        readonly quoteSymbol: string;
        /** Paid to the wallet, in quote tokens */
        readonly amountTokens: number;
        /** The same, smallest units */
        readonly amountRaw: string;
        readonly valueUsd: number | null;
        /** Its transaction, which is final */
        readonly signature: string;
        /** Slot */
        readonly slot: number;
        /** The round */
        readonly roundId: string;
        /** Its number */
        readonly roundNumber: number;
      }[];
      readonly pagination: {
        /** Entries at most */
        readonly limit: number;
        /** Whether there are older ones */
        readonly hasMore: boolean;
        readonly nextCursor: string | null;
      };
    };
  };
  /** Claims of a wallet */
  'GET /wallets/{wallet}/claims': {
    readonly query: { readonly limit?: number; readonly cursor?: string };
    readonly body: undefined;
    readonly data: {
      /** The wallet */
      readonly wallet: string;
      /** The newest first */
      readonly claims: readonly {
        /** The claim */
        readonly intentId: string;
        /** Mint of the launched token */
        readonly mint: string;
        /** Its symbol */
        readonly symbol: string;
        /** Mint of the paired token */
        readonly quoteMint: string;
        /** Its symbol */
        readonly quoteSymbol: string;
        /** Fees in the token when the claim was prepared; later ones were collected too */
        readonly baseTokens: number;
        /** The same, smallest units */
        readonly baseRaw: string;
        /** Fees in quote tokens then */
        readonly quoteTokens: number;
        /** The same, smallest units */
        readonly quoteRaw: string;
        /** Its transaction */
        readonly signature: string;
        readonly slot: number | null;
        /** Whether no fork can take it back */
        readonly finalized: boolean;
        /** When it was prepared first */
        readonly preparedAt: string;
        readonly paidAt: string | null;
        readonly valueUsd: number | null;
      }[];
      readonly pagination: {
        /** Entries at most */
        readonly limit: number;
        /** Whether there are older ones */
        readonly hasMore: boolean;
        readonly nextCursor: string | null;
      };
    };
  };
  /** Trades of a wallet */
  'GET /wallets/{wallet}/trades': {
    readonly query: { readonly limit?: number; readonly cursor?: string };
    readonly body: undefined;
    readonly data: {
      /** The wallet */
      readonly wallet: string;
      /** The newest first */
      readonly trades: readonly {
        /** Mint of the traded token */
        readonly mint: string;
        /** Its symbol */
        readonly symbol: string;
        /** Mint of the paired token */
        readonly quoteMint: string;
        /** Its symbol */
        readonly quoteSymbol: string;
        /** Its transaction */
        readonly signature: string;
        /** Place among the swaps of the pool in it */
        readonly index: number;
        /** Slot */
        readonly slot: number;
        /** When */
        readonly tradedAt: string;
        readonly side: 'buy' | 'sell';
        /** Tokens */
        readonly amountTokens: number;
        /** The same, smallest units */
        readonly amountRaw: string;
        /** Quote tokens */
        readonly quoteTokens: number;
        /** The same, smallest units */
        readonly quoteRaw: string;
        /** Quote tokens for one token, right after it */
        readonly priceQuote: number;
        readonly priceUsd: number | null;
        readonly valueUsd: number | null;
        /** Whether no fork can take it back */
        readonly finalized: boolean;
      }[];
      readonly pagination: {
        /** Entries at most */
        readonly limit: number;
        /** Whether there are older ones */
        readonly hasMore: boolean;
        readonly nextCursor: string | null;
      };
    };
  };
  /** Events */
  'GET /events': {
    readonly query: {
      readonly limit?: number;
      readonly after?: string;
      readonly types?: string;
      readonly mint?: string;
      readonly wallet?: string;
      readonly creator?: string;
    };
    readonly body: undefined;
    readonly data: {
      /** In the order of the log */
      readonly events: readonly {
        /** Its cursor: pass it as `after` to read on behind it. Each event has one, for ever */
        readonly id: string;
        /** The event, and how final it is */
        readonly type:
          | 'launch.processing'
          | 'launch.completed'
          | 'launch.not_charged'
          | 'launch.refunded'
          | 'launch.needs_recovery'
          | 'token.launched'
          | 'token.graduated'
          | 'token.withdrawn'
          | 'trade.confirmed'
          | 'trade.final'
          | 'trade.withdrawn'
          | 'round.observed'
          | 'round.divided'
          | 'round.paid'
          | 'payout.paid'
          | 'claim.paid'
          | 'harvest'
          | 'burn'
          | 'buyback'
          | 'airdrop.delivered'
          | 'pair.added'
          | 'pair.retired'
          | 'switch.changed';
        /** When the platform recorded it */
        readonly recordedAt: string;
        readonly mint: string | null;
        readonly wallet: string | null;
        readonly creator: string | null;
        /** Of `launch.…` */
        readonly launch?: {
          /** Id of its signed quote */
          readonly quoteId: string;
          readonly paymentSignature: string | null;
          readonly refundSignature: string | null;
          readonly slot: number | null;
        };
        /** Of `token.…` */
        readonly token?: {
          /** Name */
          readonly name: string;
          /** Symbol */
          readonly symbol: string;
          /** Decimals of amounts */
          readonly decimals: number;
          /** Pool */
          readonly pool: string;
          /** Fee model */
          readonly mode: 'standard' | 'reward';
          /** Mint of the paired token */
          readonly quoteMint: string;
          /** Its symbol */
          readonly quoteSymbol: string;
          readonly slot: number | null;
          /** When it was launched */
          readonly createdAt: string;
          readonly highestMarketCapUsd: number | null;
        };
        /** Of `trade.…` */
        readonly trade?: {
          /** Its transaction */
          readonly signature: string;
          /** Place among the swaps of the pool in it */
          readonly index: number;
          /** Slot; a fork that moves a trade withdraws it from one and confirms it in another */
          readonly slot: number;
          /** When */
          readonly tradedAt: string;
          readonly side: 'buy' | 'sell';
          /** Tokens */
          readonly amountTokens: number;
          /** The same, smallest units */
          readonly amountRaw: string;
          /** Quote tokens */
          readonly quoteTokens: number;
          /** The same, smallest units */
          readonly quoteRaw: string;
          /** Mint of the paired token */
          readonly quoteMint: string;
          /** Quote tokens for one token, right after it */
          readonly priceQuote: number;
          readonly priceUsd: number | null;
          readonly valueUsd: number | null;
        };
        /** Of `round.…` */
        readonly round?: {
          /** Id in its transactions and draws */
          readonly id: string;
          /** From 1, without gaps */
          readonly number: number;
          /** Mint of what is paid */
          readonly quoteMint: string;
          readonly division: {
            /** Divided amount, in quote tokens */
            readonly budgetTokens: number;
            /** The same, smallest units */
            readonly budgetRaw: string;
            /** Wallets that held enough at every observation */
            readonly holderCount: number;
            readonly documentUrl: string | null;
          } | null;
          readonly payment: {
            /** Paid to all holders, in quote tokens */
            readonly paidTokens: number;
            /** The same, smallest units */
            readonly paidRaw: string;
            /** Wallets that were paid */
            readonly recipientCount: number;
          } | null;
          readonly note: string | null;
        };
        /** Of `payout.paid` */
        readonly payout?: {
          /** The round */
          readonly roundId: string;
          /** Its number */
          readonly roundNumber: number;
          /** Mint of what is paid */
          readonly quoteMint: string;
          /** Paid to the wallet, in quote tokens */
          readonly amountTokens: number;
          /** The same, smallest units */
          readonly amountRaw: string;
          readonly valueUsd: number | null;
          /** Its transaction, which is final */
          readonly signature: string;
          /** Slot */
          readonly slot: number;
          /** When it landed */
          readonly paidAt: string;
        };
        /** Of `claim.paid` */
        readonly claim?: {
          /** The claim */
          readonly intentId: string;
          /** Its transaction, which is final */
          readonly signature: string;
          readonly slot: number | null;
          /** Mint of the paired token */
          readonly quoteMint: string;
          /** Fees in the token when the claim was prepared; later ones are collected too */
          readonly baseTokens: number;
          /** The same, smallest units */
          readonly baseRaw: string;
          /** Fees in quote tokens then */
          readonly quoteTokens: number;
          /** The same, smallest units */
          readonly quoteRaw: string;
        };
        /** Of `harvest` */
        readonly harvest?: {
          /** Its transaction, which is final */
          readonly signature: string;
          /** Slot */
          readonly slot: number;
          /** Mint of the paired token */
          readonly quoteMint: string;
          /** Quote tokens that reached the treasury: revenue */
          readonly quoteTokens: number;
          /** The same, smallest units */
          readonly quoteRaw: string;
          /** Tokens that are burned */
          readonly baseTokens: number;
          /** The same, smallest units */
          readonly baseRaw: string;
          readonly valueUsd: number | null;
          /** Share of it that buys the platform token, in hundredths of a percent */
          readonly buybackBps: number;
          /** When; its UTC day is that of the revenue */
          readonly harvestedAt: string;
        };
        /** Of `burn` */
        readonly burn?: {
          /** Its transaction */
          readonly signature: string;
          readonly valueUsdAtBurn: number | null;
          /** Why it was burned: `auto` fees in the token itself, `buyback` and `flywheel` bought with revenue for it */
          readonly source: 'auto' | 'buyback' | 'flywheel' | 'quote-revenue' | 'reward' | 'kickstart';
          /** When */
          readonly burnedAt: string;
          /** Tokens */
          readonly amountTokens: number;
          /** The same, smallest units */
          readonly amountRaw: string;
        };
        /** Of `buyback` */
        readonly buyback?: {
          /** `buyback`: of the platform token; `flywheel`: of a ranked one */
          readonly kind: 'buyback' | 'flywheel';
          /** Mint of what was paid */
          readonly quoteMint: string;
          /** Quote tokens that were paid */
          readonly spentTokens: number;
          /** The same, smallest units */
          readonly spentRaw: string;
          readonly spentValueUsd: number | null;
          /** Tokens that were bought; their burn is an event of its own */
          readonly boughtTokens: number;
          /** The same, smallest units */
          readonly boughtRaw: string;
          /** The swap, which is final */
          readonly signature: string;
          /** Slot */
          readonly slot: number;
        };
        /** Of `airdrop.delivered` */
        readonly airdrop?: {
          /** Share of the supply that was planned, in tokens */
          readonly shareTokens: number;
          /** The same, smallest units */
          readonly shareRaw: string;
          /** Delivered amount, before a transfer tax */
          readonly deliveredTokens: number;
          /** The same, smallest units */
          readonly deliveredRaw: string;
          /** Wallets that got some */
          readonly recipientCount: number;
          /** Where the list of recipients lies for ever */
          readonly recipientsUri: string;
        };
        /** Of `pair.…` */
        readonly pair?: {
          /** Symbol */
          readonly symbol: string;
          /** Name */
          readonly name: string;
          /** Category of the pair */
          readonly category: string;
        };
        /** Of `switch.changed` */
        readonly switch?: {
          /** The feature */
          readonly name: 'launching' | 'claiming' | 'devBuys' | 'airdrops' | 'rewardLaunches';
          /** Its value: `on`, `off`, `open` or `admin` */
          readonly value: string;
        };
      }[];
      readonly pagination: {
        /** Entries at most */
        readonly limit: number;
        /** Whether to read on at once; a filtered page can have more behind it without an entry in it */
        readonly hasMore: boolean;
        /** Where the next page begins: never null, so that a reader can wait for later events there */
        readonly nextCursor: string;
      };
    };
  };
  /** Prepare a launch */
  'POST /launches/prepare': {
    readonly query: undefined;
    readonly body: {
      /** Solana address in base58 */
      readonly creatorWallet: string;
      /** Solana address in base58 */
      readonly quoteMint: string;
      /** 1 to 32 bytes of UTF-8, counted in NFC, which it is put into */
      readonly name: string;
      /** 1 to 10 bytes of UTF-8, counted in NFC, which it is put into */
      readonly symbol: string;
      /** Data URL of type png, jpeg or webp with base64 payload, up to 512 KB */
      readonly logo: string;
      /** `reward`: a Token-2022 mint with an immutable transfer tax that is paid to holders; default standard */
      readonly mode?: 'standard' | 'reward';
      /** Standard launches only; default 1% */
      readonly feeTier?: '1%' | '2%';
      /** Wallet that gets the Fee Key, and with it the creator’s fees; standard launches only; default: creatorWallet, which still signs and pays */
      readonly feeRecipient?: string;
      /** Reward launches only; default 100. The launch’s own deposit into the pool is taxed too: that part of the supply is burned */
      readonly rewardTaxBps?: 100 | 300;
      /** Share of supply, at most 2.5; excludes devBuySol; 0 is no value and is taken also while dev buys are off */
      readonly devBuyPercent?: number;
      /** SOL to spend; buys at most 2.5% of supply; excludes devBuyPercent; 0 is no value and is taken also while dev buys are off */
      readonly devBuySol?: number;
      /** Most that the payment may take, dev buy and airdrop included; a higher price is refused */
      readonly maxLamports?: number;
      /** Share of supply that is held out of the pool, at most 50; reward launches only; delivered after the launch, in transactions of its own; 0 is no value and is taken also while airdrops are off */
      readonly airdropPercent?: number;
      /** Number of recipients; default top100 */
      readonly airdropTier?: 'top100' | 'top1000' | 'top5000';
      /** Holders of the quote token; default quote-holders */
      readonly airdropSource?: 'quote-holders';
      /** Public HTTPS URL; default: the platform’s own page */
      readonly website?: string;
      /** `@name`, `x.com/name`, or an HTTPS URL of x.com or twitter.com */
      readonly twitter?: string;
      /** `@name`, `t.me/name`, or an HTTPS URL of t.me or telegram.me */
      readonly telegram?: string;
    };
    readonly data: {
      /** Pass it to submit as it is */
      readonly signedQuote: string;
      /** Unsigned payment, base64; the creator signs it */
      readonly paymentTransaction: string;
      /** Id of the signed quote */
      readonly quoteId: string;
      /** Mint that the token will have */
      readonly mint: string;
      readonly payment: {
        /** All that the creator pays, dev buy and airdrop included */
        readonly lamports: number;
        /** The same in SOL */
        readonly sol: number;
        /** Wallet of the launch, which the SOL goes to */
        readonly to: string;
        /** The launch alone */
        readonly feeLamports: number;
        /** The same in SOL */
        readonly feeSol: number;
        /** Items that add up to it */
        readonly items: readonly {
          readonly item: 'launch' | 'devBuy' | 'airdrop';
          /** Lamports */
          readonly lamports: number;
        }[];
      };
      /** Fee model */
      readonly mode: 'standard' | 'reward';
      /** Wallet that gets the Fee Key, if one was named */
      readonly feeRecipient?: string;
      /** Fee of the pool, percent */
      readonly poolFeePercent: number;
      readonly transferFee: {
        /** Tax on every transfer, in bps */
        readonly bps: 100 | 300;
      } | null;
      readonly devBuy: {
        /** Tokens that the pool gives */
        readonly tokens: number;
        /** The same, smallest units */
        readonly tokensRaw: string;
        /** Tokens that reach the creator after the transfer tax; reward launches only */
        readonly netTokens?: number;
        /** The same, smallest units */
        readonly netTokensRaw?: string;
        /** Price for the creator, lamports */
        readonly lamports: number;
      } | null;
      readonly airdrop: {
        /** Where the recipients come from */
        readonly source: 'quote-holders';
        /** Size of the ranking */
        readonly tier: 'top100' | 'top1000' | 'top5000';
        /** Share of the supply that is held out of the pool, percent */
        readonly percent: number;
        /** The same in tokens */
        readonly tokens: number;
        /** The same, smallest units */
        readonly tokensRaw: string;
        /** Wallets that get some */
        readonly recipients: number;
        /** Price of the delivery for the creator, lamports */
        readonly feeLamports: number;
        /** Transactions of its own deliver it after the launch has completed; `/tokens/{mint}/airdrop` says how far */
        readonly delivery: 'afterLaunch';
        /** Slot at which the recipients were frozen */
        readonly snapshotSlot: number;
        /** sha256 of the recipients’ document, hex: `slipway verify airdrop --recipients-hash` compares it */
        readonly recipientsHash: string;
      } | null;
      /** Another token that this one can be taken for: a listed quote token or an earlier launch. A note, never a refusal */
      readonly similarTo?: {
        /** The other token */
        readonly mint: string;
        /** Its name */
        readonly name: string;
        /** Its symbol */
        readonly symbol: string;
        /** A listed quote token, or a token that was launched here earlier */
        readonly kind: 'pair' | 'graduated' | 'token';
        /** Which of this token’s texts is the same, or looks alike */
        readonly why: 'sameSymbol' | 'similarSymbol' | 'sameName' | 'similarName';
      };
      /** Market cap at which the pool opens, USD */
      readonly openingMarketCapUsd: number;
      /** USD for one quote token, which that follows from */
      readonly quotePriceUsd: number;
      /** Where the metadata will be */
      readonly metadataUri: string;
      /** The last moment at which submit takes the quote; count down to it */
      readonly expiresAt: string;
      /** Block height after which the payment can no longer land */
      readonly lastValidBlockHeight: number;
    };
  };
  /** Submit a signed launch payment */
  'POST /launches/submit': {
    readonly query: undefined;
    readonly body: {
      /** From prepare */
      readonly signedQuote: string;
      /** The paymentTransaction from prepare, signed by the creator, base64. A wallet may change its compute budget and add a memo or assertions of the Lighthouse program; anything else that differs from the issued transaction is 400 */
      readonly signedTransaction: string;
      /** Data URL of the picture that was sent to prepare, byte for byte */
      readonly logo: string;
    };
    readonly data: {
      /** `completed`: the token is live and recorded. `processing`: it may land or has landed, as `onChain` says; poll the status and never pay again */
      readonly status: 'completed' | 'processing';
      /** Only with `processing`. `unknown`: nothing is known to have landed, so it may still end as not charged. `payment`: the payment landed, the rest follows. `bundle`: everything landed, the details are being recorded */
      readonly onChain?: 'unknown' | 'payment' | 'bundle';
      /** Only with `processing`: the launch waits until an operator decides how it ends; no landed payment is known; always true */
      readonly awaitsOperator?: boolean;
      /** Of the fee payment */
      readonly paymentSignature: string;
      /** Once the token is live */
      readonly mint?: string;
      /** Once the token is live */
      readonly pool?: string;
    };
  };
  /** Launch status */
  'GET /launches/{paymentSignature}': {
    readonly query: undefined;
    readonly body: undefined;
    readonly data: {
      /** `completed`: the token is live and recorded. `processing`: it may land or has landed, as `onChain` says; poll the status and never pay again */
      readonly status: 'completed' | 'processing';
      /** Only with `processing`. `unknown`: nothing is known to have landed, so it may still end as not charged. `payment`: the payment landed, the rest follows. `bundle`: everything landed, the details are being recorded */
      readonly onChain?: 'unknown' | 'payment' | 'bundle';
      /** Only with `processing`: the launch waits until an operator decides how it ends; no landed payment is known; always true */
      readonly awaitsOperator?: boolean;
      /** Of the fee payment */
      readonly paymentSignature: string;
      /** Once the token is live */
      readonly mint?: string;
      /** Once the token is live */
      readonly pool?: string;
      /** Id of its signed quote */
      readonly quoteId: string;
      /** Name */
      readonly name: string;
      /** Symbol */
      readonly symbol: string;
      /** Wallet that launched it */
      readonly creator: string;
      /** Wallet that got the Fee Key, if the creator named one */
      readonly feeRecipient?: string;
      /** Venue of the pool */
      readonly launchpad: 'raydium';
      /** Fee model */
      readonly mode: 'standard' | 'reward';
      /** The paired token */
      readonly quote: {
        /** Mint */
        readonly mint: string;
        /** Symbol */
        readonly symbol: string;
      };
      /** Mint of the paired token */
      readonly quoteMint: string;
      /** Its symbol */
      readonly quoteSymbol: string;
      readonly transferFee?: {
        /** Tax on every transfer, in bps */
        readonly bps: 100 | 300;
      };
      /** Standard launches only */
      readonly feeTier?: '1%' | '2%';
      /** Tax on every transfer, in bps */
      readonly rewardTaxBps?: 100 | 300;
      /** Fee of the pool, percent */
      readonly poolFeePercent: number;
      /** Market cap at which the pool opens, USD */
      readonly startMarketCapUsd: number;
      /** Market cap that is aimed at, USD */
      readonly targetMarketCapUsd: number;
      readonly payment: {
        /** Price for the creator, lamports */
        readonly lamports: number;
      };
      readonly devBuy: {
        /** Tokens that the pool gives */
        readonly tokens: number;
        /** The same, smallest units */
        readonly tokensRaw: string;
        /** Tokens that reach the creator after the transfer tax; reward launches only */
        readonly netTokens?: number;
        /** The same, smallest units */
        readonly netTokensRaw?: string;
        /** Price for the creator, lamports */
        readonly lamports: number;
      } | null;
      readonly airdrop: {
        /** Where the recipients come from */
        readonly source: 'quote-holders';
        /** Size of the ranking */
        readonly tier: 'top100' | 'top1000' | 'top5000';
        /** Share of the supply that is held out of the pool, percent */
        readonly percent: number;
        /** The same in tokens */
        readonly tokens: number;
        /** The same, smallest units */
        readonly tokensRaw: string;
        /** Wallets that get some */
        readonly recipients: number;
        /** Price of the delivery for the creator, lamports */
        readonly feeLamports: number;
        /** Transactions of its own deliver it after the launch has completed; `/tokens/{mint}/airdrop` says how far */
        readonly delivery: 'afterLaunch';
        /** Slot at which the recipients were frozen */
        readonly snapshotSlot: number;
        /** sha256 of the recipients’ document, hex: `slipway verify airdrop --recipients-hash` compares it */
        readonly recipientsHash: string;
      } | null;
      /** Wallet that the launch is made from */
      readonly launchWallet: string;
      /** Once the token is live */
      readonly feeKeyMints?: readonly string[];
      /** Every state it was in, oldest first */
      readonly states: readonly {
        readonly state:
          | 'received'
          | 'preparing'
          | 'landing'
          | 'resuming'
          | 'recording'
          | 'completed'
          | 'finalized'
          | 'needs_recovery'
          | 'refunding'
          | 'refunded'
          | 'not_landed';
        /** When it came into it */
        readonly at: string;
        readonly slot: number | null;
      }[];
      /** Transactions of its bundle */
      readonly transactions: readonly {
        /** Purpose of the transaction */
        readonly purpose: string;
        readonly status: 'signed' | 'broadcasting' | 'landed' | 'failed' | 'finalized' | 'dead' | 'abandoned';
        /** Signature */
        readonly signature: string;
        readonly slot: number | null;
      }[];
    };
  };
  /** Receipt of a launch */
  'GET /launches/{paymentSignature}/receipt': {
    readonly query: undefined;
    readonly body: undefined;
    readonly data: {
      /** Of the fee payment, as it was asked for */
      readonly paymentSignature: string;
      /** Id of the signed quote */
      readonly quoteId: string;
      readonly receipt: string | null;
      readonly log: {
        /** Number of the log, from 1 */
        readonly number: number;
        /** Merkle root of its document (hex, 32 bytes): its seal names it as an account */
        readonly root: string;
        /** The document: the sha256 of each receipt, what the list of wallets was, and prices for reward rounds */
        readonly documentUrl: string;
        /** The final transaction that sealed it */
        readonly signature: string;
        /** Slot of that transaction */
        readonly slot: number;
      } | null;
    };
  };
  /** Claimable creator fees */
  'GET /tokens/{mint}/fees': {
    readonly query: undefined;
    readonly body: undefined;
    readonly data: {
      /** Mint */
      readonly mint: string;
      /** Fee model */
      readonly mode: 'standard' | 'reward';
      /** Pool */
      readonly pool: string;
      readonly creator: string | null;
      readonly claimable: {
        readonly base: {
          /** Mint */
          readonly mint: string;
          /** Symbol */
          readonly symbol: string;
          /** Decimals */
          readonly decimals: number;
          /** Tokens */
          readonly amountTokens: number;
          /** The same, smallest units */
          readonly amountRaw: string;
          /** Its worth, USD; left out while there is no fresh price */
          readonly amountUsd?: number;
        };
        readonly quote: {
          /** Mint */
          readonly mint: string;
          /** Symbol */
          readonly symbol: string;
          /** Decimals */
          readonly decimals: number;
          /** Tokens */
          readonly amountTokens: number;
          /** The same, smallest units */
          readonly amountRaw: string;
          /** Its worth, USD; left out while there is no fresh price */
          readonly amountUsd?: number;
        };
      } | null;
      /** Why nothing can be claimed, for people; with `claimable: null` */
      readonly reason?: string;
      readonly feeKey?: {
        /** Mint of the Fee Key */
        readonly mint: string;
        readonly holder: string | null;
      };
      /** Path of the token’s page */
      readonly claimUrl: string;
      /** Path of the claim endpoints */
      readonly claimApi: string;
    };
  };
  /** Prepare a fee claim */
  'POST /tokens/{mint}/fees/claim/prepare': {
    readonly query: undefined;
    readonly body: {
      /** Solana address in base58 */
      readonly creatorWallet: string;
    };
    readonly data: {
      /** Pass it to claim submit */
      readonly intentId: string;
      /** Unsigned claim, base64; the wallet signs it */
      readonly transaction: string;
      /** Mint */
      readonly mint: string;
      /** Wallet that it was prepared for */
      readonly creatorWallet: string;
      /** When it can no longer be submitted */
      readonly expiresAt: string;
      readonly amounts: {
        readonly base: {
          /** Mint */
          readonly mint: string;
          /** Symbol */
          readonly symbol: string;
          /** Decimals */
          readonly decimals: number;
          /** Tokens */
          readonly amountTokens: number;
          /** The same, smallest units */
          readonly amountRaw: string;
          /** Its worth, USD; left out while there is no fresh price */
          readonly amountUsd?: number;
        };
        readonly quote: {
          /** Mint */
          readonly mint: string;
          /** Symbol */
          readonly symbol: string;
          /** Decimals */
          readonly decimals: number;
          /** Tokens */
          readonly amountTokens: number;
          /** The same, smallest units */
          readonly amountRaw: string;
          /** Its worth, USD; left out while there is no fresh price */
          readonly amountUsd?: number;
        };
      };
    };
  };
  /** Submit a signed fee claim */
  'POST /tokens/{mint}/fees/claim/submit': {
    readonly query: undefined;
    readonly body: {
      /** Solana address in base58 */
      readonly creatorWallet: string;
      /** From claim prepare */
      readonly intentId: string;
      /** The transaction from claim prepare, signed by the wallet, base64. A wallet may change its compute budget and add a memo or assertions of the Lighthouse program; anything else that differs from the issued transaction is 400 */
      readonly signedTransaction: string;
    };
    readonly data: {
      /** The claim */
      readonly intentId: string;
      /** Its transaction */
      readonly signature: string;
      /** Whether an earlier submit of it was taken in */
      readonly alreadySubmitted: boolean;
      /** Once it is confirmed, or proven that it never can be; left out while neither is known */
      readonly landed?: boolean;
      /** Why it did not land, for people */
      readonly reason?: string;
    };
  };
  /** Prepare the claims of a wallet */
  'POST /wallets/{wallet}/fees/claim/prepare': {
    readonly query: undefined;
    readonly body: {
      /** Positions at most; more than 10 is 10; default 10 */
      readonly limit?: number;
      /** `data.nextCursor` of the answer before this one */
      readonly cursor?: string;
    };
    readonly data: {
      /** The wallet */
      readonly wallet: string;
      /** A claim of each position with something to claim: a transaction and an intent of its own each */
      readonly claims: readonly {
        /** Pass it to claim submit */
        readonly intentId: string;
        /** Unsigned claim, base64; the wallet signs it */
        readonly transaction: string;
        /** Mint */
        readonly mint: string;
        /** Wallet that it was prepared for */
        readonly creatorWallet: string;
        /** When it can no longer be submitted */
        readonly expiresAt: string;
        readonly amounts: {
          readonly base: {
            /** Mint */
            readonly mint: string;
            /** Symbol */
            readonly symbol: string;
            /** Decimals */
            readonly decimals: number;
            /** Tokens */
            readonly amountTokens: number;
            /** The same, smallest units */
            readonly amountRaw: string;
            /** Its worth, USD; left out while there is no fresh price */
            readonly amountUsd?: number;
          };
          readonly quote: {
            /** Mint */
            readonly mint: string;
            /** Symbol */
            readonly symbol: string;
            /** Decimals */
            readonly decimals: number;
            /** Tokens */
            readonly amountTokens: number;
            /** The same, smallest units */
            readonly amountRaw: string;
            /** Its worth, USD; left out while there is no fresh price */
            readonly amountUsd?: number;
          };
        };
      }[];
      /** Positions whose claim could not be prepared now; prepare them again */
      readonly deferred: readonly {
        /** Mint */
        readonly mint: string;
        /** Why not now, for people */
        readonly reason: string;
      }[];
      /** Positions that come after these */
      readonly remaining: number;
      readonly nextCursor: string | null;
    };
  };
}

/** The same of `data`, for a check at run time. */
export const SHAPES: { readonly [Name in keyof Operations]: Shape } = {
  'GET /tokens': {
    fields: {
      tokens: {
        listOf: {
          fields: {
            address: 'string',
            mint: 'string',
            name: 'string',
            symbol: 'string',
            decimals: 'number',
            url: 'string',
            pool: 'string',
            createdAt: 'string',
            launchpad: 'string',
            market: {
              fields: { volume24hUsd: 'number' },
              optional: {
                priceUsd: 'number',
                priceQuote: 'number',
                marketCapUsd: 'number',
                fdvUsd: 'number',
                peakMarketCapUsd: 'number',
                liquidityUsd: 'number',
                priceChange1h: 'number',
                priceChange6h: 'number',
                priceChange24h: 'number',
                trades24h: 'number',
                traders24h: 'number',
                holders: 'number',
              },
            },
            logoUrl: 'string',
            imageUrl: 'string',
            metadataUri: 'string',
            links: { fields: {}, optional: { website: 'string', twitter: 'string', telegram: 'string' } },
            quoteMint: 'string',
            quoteSymbol: 'string',
            quote: {
              fields: {
                mint: 'string',
                symbol: 'string',
                name: 'string',
                logoUrl: 'string',
                category: 'string',
                categoryLabel: 'string',
              },
              optional: { decimals: 'number' },
            },
            quoteOnlyFees: 'boolean',
            creator: 'string',
            mode: 'string',
            status: 'string',
            graduationProgress: 'number',
          },
          optional: {
            graduatedAt: 'string',
            transferFee: { fields: { bps: 'number' }, optional: {} },
            airdropBps: 'number',
            airdropSupplyRaw: 'string',
            airdropDeliveredRaw: 'string',
            similarTo: {
              fields: { mint: 'string', name: 'string', symbol: 'string', kind: 'string', why: 'string' },
              optional: {},
            },
            flywheel: { fields: { active: 'boolean' }, optional: {} },
          },
        },
      },
      sort: 'string',
      pagination: {
        fields: { page: 'number', pageSize: 'number', total: 'number', totalPages: 'number', hasMore: 'boolean' },
        optional: {},
      },
      network: 'string',
    },
    optional: {},
  },
  'GET /tokens/{mint}': {
    fields: {
      token: {
        fields: {
          address: 'string',
          mint: 'string',
          name: 'string',
          symbol: 'string',
          decimals: 'number',
          url: 'string',
          pool: 'string',
          createdAt: 'string',
          launchpad: 'string',
          market: {
            fields: { volume24hUsd: 'number' },
            optional: {
              priceUsd: 'number',
              priceQuote: 'number',
              marketCapUsd: 'number',
              fdvUsd: 'number',
              peakMarketCapUsd: 'number',
              liquidityUsd: 'number',
              priceChange1h: 'number',
              priceChange6h: 'number',
              priceChange24h: 'number',
              trades24h: 'number',
              traders24h: 'number',
              holders: 'number',
            },
          },
          logoUrl: 'string',
          imageUrl: 'string',
          metadataUri: 'string',
          links: { fields: {}, optional: { website: 'string', twitter: 'string', telegram: 'string' } },
          quoteMint: 'string',
          quoteSymbol: 'string',
          quote: {
            fields: {
              mint: 'string',
              symbol: 'string',
              name: 'string',
              logoUrl: 'string',
              category: 'string',
              categoryLabel: 'string',
            },
            optional: { decimals: 'number' },
          },
          quoteOnlyFees: 'boolean',
          creator: 'string',
          mode: 'string',
          status: 'string',
          graduationProgress: 'number',
        },
        optional: {
          graduatedAt: 'string',
          transferFee: { fields: { bps: 'number' }, optional: {} },
          airdropBps: 'number',
          airdropSupplyRaw: 'string',
          airdropDeliveredRaw: 'string',
          similarTo: {
            fields: { mint: 'string', name: 'string', symbol: 'string', kind: 'string', why: 'string' },
            optional: {},
          },
          flywheel: { fields: { active: 'boolean' }, optional: {} },
        },
      },
      launch: {
        oneOf: [
          {
            fields: {
              quoteId: 'string',
              name: 'string',
              symbol: 'string',
              creator: 'string',
              launchpad: 'string',
              mode: 'string',
              quote: { fields: { mint: 'string', symbol: 'string' }, optional: {} },
              quoteMint: 'string',
              quoteSymbol: 'string',
              poolFeePercent: 'number',
              startMarketCapUsd: 'number',
              targetMarketCapUsd: 'number',
              payment: { fields: { lamports: 'number' }, optional: {} },
              devBuy: {
                oneOf: [
                  {
                    fields: { tokens: 'number', tokensRaw: 'string', lamports: 'number' },
                    optional: { netTokens: 'number', netTokensRaw: 'string' },
                  },
                  'null',
                ],
              },
              airdrop: {
                oneOf: [
                  {
                    fields: {
                      source: 'string',
                      tier: 'string',
                      percent: 'number',
                      tokens: 'number',
                      tokensRaw: 'string',
                      recipients: 'number',
                      feeLamports: 'number',
                      delivery: 'string',
                      snapshotSlot: 'number',
                      recipientsHash: 'string',
                    },
                    optional: {},
                  },
                  'null',
                ],
              },
              launchWallet: 'string',
              paymentSignature: 'string',
              status: 'string',
              mint: 'string',
              pool: 'string',
              logoUrl: 'string',
              createdAt: 'string',
              states: {
                listOf: {
                  fields: { state: 'string', at: 'string', slot: { oneOf: ['number', 'null'] } },
                  optional: {},
                },
              },
              transactions: {
                listOf: {
                  fields: {
                    purpose: 'string',
                    status: 'string',
                    signature: 'string',
                    slot: { oneOf: ['number', 'null'] },
                  },
                  optional: {},
                },
              },
            },
            optional: {
              feeRecipient: 'string',
              transferFee: { fields: { bps: 'number' }, optional: {} },
              feeTier: 'string',
              rewardTaxBps: 'number',
              feeKeyMints: { listOf: 'string' },
              hidden: 'boolean',
              airdropBps: 'number',
              airdropSupplyRaw: 'string',
              airdropDeliveredRaw: 'string',
            },
          },
          'null',
        ],
      },
      network: 'string',
    },
    optional: {},
  },
  'GET /tokens/{mint}/candles': {
    fields: {
      mint: 'string',
      quoteMint: 'string',
      interval: 'string',
      currency: 'string',
      candles: {
        listOf: {
          fields: {
            startedAt: 'string',
            open: 'number',
            high: 'number',
            low: 'number',
            close: 'number',
            volumeUsd: { oneOf: ['number', 'null'] },
            volumeTokens: 'number',
            volumeRaw: 'string',
            trades: 'number',
          },
          optional: {},
        },
      },
      hasEarlier: 'boolean',
    },
    optional: {},
  },
  'GET /tokens/{mint}/trades': {
    fields: {
      mint: 'string',
      quoteMint: 'string',
      trades: {
        listOf: {
          fields: {
            signature: 'string',
            index: 'number',
            slot: 'number',
            tradedAt: 'string',
            side: 'string',
            wallet: 'string',
            amountTokens: 'number',
            amountRaw: 'string',
            quoteTokens: 'number',
            quoteRaw: 'string',
            priceQuote: 'number',
            priceUsd: { oneOf: ['number', 'null'] },
            valueUsd: { oneOf: ['number', 'null'] },
            finalized: 'boolean',
          },
          optional: {},
        },
      },
      pagination: {
        fields: { limit: 'number', hasMore: 'boolean', nextCursor: { oneOf: ['string', 'null'] } },
        optional: {},
      },
    },
    optional: {},
  },
  'GET /tokens/{mint}/holders': {
    fields: {
      mint: 'string',
      slot: 'number',
      total: 'number',
      holders: {
        listOf: {
          fields: {
            rank: 'number',
            owner: 'string',
            amountTokens: 'number',
            amountRaw: 'string',
            percent: 'number',
            label: { oneOf: ['string', 'null'] },
          },
          optional: {},
        },
      },
    },
    optional: {},
  },
  'GET /tokens/{mint}/airdrop': {
    fields: {
      mint: 'string',
      airdrop: {
        oneOf: [
          {
            fields: {
              source: 'string',
              tier: 'string',
              percent: 'number',
              tokens: 'number',
              tokensRaw: 'string',
              recipients: 'number',
              feeLamports: 'number',
              delivery: {
                fields: {
                  status: 'string',
                  deliveredRecipients: 'number',
                  deliveredTokens: 'number',
                  deliveredTokensRaw: 'string',
                  deliveredAt: { oneOf: ['string', 'null'] },
                },
                optional: {},
              },
              snapshotSlot: 'number',
              recipientsHash: 'string',
              recipientsUri: 'string',
              seal: {
                oneOf: [
                  {
                    fields: {
                      root: 'string',
                      documentUrl: 'string',
                      signature: { oneOf: ['string', 'null'] },
                      slot: { oneOf: ['number', 'null'] },
                    },
                    optional: {},
                  },
                  'null',
                ],
              },
              transferFee: { fields: { bps: 'number' }, optional: {} },
              bps: 'number',
              percentOfSupply: 'number',
              supplyTokens: 'number',
              recipientCount: 'number',
              quoteToken: { fields: { symbol: 'string' }, optional: {} },
              settledAt: { oneOf: ['string', 'null'] },
            },
            optional: {},
          },
          'null',
        ],
      },
    },
    optional: {},
  },
  'GET /tokens/{mint}/burns': {
    fields: {
      mint: 'string',
      totals: {
        fields: {
          mint: 'string',
          symbol: 'string',
          decimals: 'number',
          amountTokens: 'number',
          amountRaw: 'string',
          percentOfSupply: 'number',
          valueUsdAtBurn: 'number',
          burnCount: 'number',
          unpricedCount: 'number',
          lastBurnAt: { oneOf: ['string', 'null'] },
        },
        optional: {},
      },
      burns: {
        listOf: {
          fields: {
            signature: 'string',
            valueUsdAtBurn: { oneOf: ['number', 'null'] },
            source: 'string',
            burnedAt: 'string',
            symbol: 'string',
            amountTokens: 'number',
            amountRaw: 'string',
          },
          optional: {},
        },
      },
    },
    optional: {},
  },
  'GET /tokens/{mint}/rewards': {
    fields: {
      mint: 'string',
      mode: 'string',
      rewards: {
        oneOf: [
          {
            fields: {
              distributedTokens: 'number',
              distributedRaw: 'string',
              distributedUsd: 'number',
              payoutCount: 'number',
              holderCount: 'number',
              roundCount: 'number',
              transactionCount: 'number',
              lastPayoutAt: { oneOf: ['string', 'null'] },
              undistributedTokens: 'number',
              undistributedRaw: 'string',
              transferFee: { fields: { bps: 'number' }, optional: {} },
              pending: {
                fields: {
                  pendingTokens: 'number',
                  pendingRaw: 'string',
                  transferTaxBps: 'number',
                  minHoldingUsd: 'number',
                  minPayoutUsd: 'number',
                },
                optional: { pendingUsd: 'number', pendingTaxUsd: 'number', quotePriceUsd: 'number' },
              },
              pendingTokens: 'number',
              pendingRaw: 'string',
              transferTaxBps: 'number',
              minHoldingUsd: 'number',
              minPayoutUsd: 'number',
            },
            optional: { pendingUsd: 'number', pendingTaxUsd: 'number', quotePriceUsd: 'number' },
          },
          'null',
        ],
      },
    },
    optional: {
      message: 'string',
      quote: { fields: { mint: 'string', symbol: 'string', decimals: 'number' }, optional: {} },
      base: { oneOf: [{ fields: {}, optional: {} }, 'null'] },
    },
  },
  'GET /tokens/{mint}/rewards/rounds': {
    fields: {
      mint: 'string',
      quote: { fields: { mint: 'string', symbol: 'string', decimals: 'number' }, optional: {} },
      rounds: {
        listOf: {
          fields: {
            number: 'number',
            id: 'string',
            state: 'string',
            openedSlot: 'number',
            openedAt: 'string',
            windowSlot: { oneOf: ['number', 'null'] },
            windowSlots: { oneOf: ['number', 'null'] },
            endedAt: { oneOf: ['string', 'null'] },
            observations: {
              listOf: {
                fields: {
                  n: 'number',
                  slot: 'number',
                  blockhash: 'string',
                  readSlot: 'number',
                  answerSlots: { listOf: 'number' },
                  quorum: 'number',
                },
                optional: {},
              },
            },
            division: {
              oneOf: [
                {
                  fields: {
                    budgetTokens: 'number',
                    budgetRaw: 'string',
                    minimumHoldingTokens: 'number',
                    minimumHoldingRaw: 'string',
                    leastPayoutTokens: 'number',
                    leastPayoutRaw: 'string',
                    averagePrice: 'number',
                    quoteUsd: 'number',
                    holderCount: 'number',
                  },
                  optional: {},
                },
                'null',
              ],
            },
            seal: {
              oneOf: [
                {
                  fields: {
                    root: 'string',
                    documentUrl: 'string',
                    rowCount: 'number',
                    byteCount: 'number',
                    signature: 'string',
                    slot: 'number',
                    sealedAt: 'string',
                  },
                  optional: {},
                },
                'null',
              ],
            },
            paidTokens: 'number',
            paidRaw: 'string',
            paidUsd: 'number',
            recipientCount: 'number',
            leftOutCount: 'number',
            leftOut: { listOf: { fields: { reason: 'string', ownerCount: 'number' }, optional: {} } },
            note: { oneOf: ['string', 'null'] },
          },
          optional: {},
        },
      },
      pagination: {
        fields: { page: 'number', pageSize: 'number', total: 'number', totalPages: 'number', hasMore: 'boolean' },
        optional: {},
      },
    },
    optional: {},
  },
  'GET /tokens/{mint}/rewards/rounds/{number}/left-out': {
    fields: {
      mint: 'string',
      number: 'number',
      leftOut: {
        listOf: {
          fields: { owner: 'string', reason: 'string', heldTokens: 'number', heldRaw: 'string' },
          optional: {},
        },
      },
      pagination: {
        fields: { page: 'number', pageSize: 'number', total: 'number', totalPages: 'number', hasMore: 'boolean' },
        optional: {},
      },
    },
    optional: {},
  },
  'GET /tokens/{mint}/rewards/statement': {
    fields: {
      mint: 'string',
      pot: 'string',
      quote: { fields: { mint: 'string', symbol: 'string', decimals: 'number' }, optional: {} },
      movements: {
        listOf: {
          fields: {
            number: 'number',
            kind: 'string',
            mint: 'string',
            roundId: { oneOf: ['string', 'null'] },
            signature: { oneOf: ['string', 'null'] },
            slot: { oneOf: ['number', 'null'] },
            landedAt: { oneOf: ['string', 'null'] },
            valueUsd: { oneOf: ['number', 'null'] },
            bookedAt: 'string',
            baseInTokens: 'number',
            baseInRaw: 'string',
            baseOutTokens: 'number',
            baseOutRaw: 'string',
            quoteInTokens: 'number',
            quoteInRaw: 'string',
            quoteOutTokens: 'number',
            quoteOutRaw: 'string',
            harvest: {
              oneOf: [
                { fields: { quoteTokens: 'number', quoteRaw: 'string', shareBps: 'number' }, optional: {} },
                'null',
              ],
            },
          },
          optional: {},
        },
      },
      totals: {
        fields: {
          baseInTokens: 'number',
          baseInRaw: 'string',
          baseOutTokens: 'number',
          baseOutRaw: 'string',
          quoteInTokens: 'number',
          quoteInRaw: 'string',
          quoteOutTokens: 'number',
          quoteOutRaw: 'string',
          baseHeldTokens: 'number',
          baseHeldRaw: 'string',
          quoteHeldTokens: 'number',
          quoteHeldRaw: 'string',
        },
        optional: {},
      },
      pagination: { fields: { limit: 'number', hasMore: 'boolean', nextCursor: 'string' }, optional: {} },
    },
    optional: {},
  },
  'GET /launches': {
    fields: {
      launches: {
        listOf: {
          fields: {
            quoteId: 'string',
            name: 'string',
            symbol: 'string',
            creator: 'string',
            launchpad: 'string',
            mode: 'string',
            quote: { fields: { mint: 'string', symbol: 'string' }, optional: {} },
            quoteMint: 'string',
            quoteSymbol: 'string',
            poolFeePercent: 'number',
            startMarketCapUsd: 'number',
            targetMarketCapUsd: 'number',
            payment: { fields: { lamports: 'number' }, optional: {} },
            devBuy: {
              oneOf: [
                {
                  fields: { tokens: 'number', tokensRaw: 'string', lamports: 'number' },
                  optional: { netTokens: 'number', netTokensRaw: 'string' },
                },
                'null',
              ],
            },
            airdrop: {
              oneOf: [
                {
                  fields: {
                    source: 'string',
                    tier: 'string',
                    percent: 'number',
                    tokens: 'number',
                    tokensRaw: 'string',
                    recipients: 'number',
                    feeLamports: 'number',
                    delivery: 'string',
                    snapshotSlot: 'number',
                    recipientsHash: 'string',
                  },
                  optional: {},
                },
                'null',
              ],
            },
            launchWallet: 'string',
            paymentSignature: 'string',
            status: 'string',
            mint: 'string',
            pool: 'string',
            logoUrl: 'string',
            createdAt: 'string',
          },
          optional: {
            feeRecipient: 'string',
            transferFee: { fields: { bps: 'number' }, optional: {} },
            feeTier: 'string',
            rewardTaxBps: 'number',
            feeKeyMints: { listOf: 'string' },
            hidden: 'boolean',
            airdropBps: 'number',
            airdropSupplyRaw: 'string',
            airdropDeliveredRaw: 'string',
          },
        },
      },
      pagination: {
        fields: { page: 'number', pageSize: 'number', total: 'number', totalPages: 'number', hasMore: 'boolean' },
        optional: {},
      },
      network: 'string',
    },
    optional: {
      creator: {
        fields: { wallet: 'string', launches: 'number', graduated: 'number', stillTraded: 'number' },
        optional: {},
      },
    },
  },
  'GET /pairs': {
    fields: {
      pairs: {
        listOf: {
          fields: {
            mint: 'string',
            symbol: 'string',
            name: 'string',
            decimals: 'number',
            logoUrl: 'string',
            category: 'string',
            categoryLabel: 'string',
            tokenProgram: 'string',
            launchable: 'boolean',
            devBuysEnabled: 'boolean',
            symbolAmbiguous: 'boolean',
          },
          optional: { priceUsd: 'number' },
        },
      },
      selectBy: 'string',
      ambiguousSymbolCount: 'number',
    },
    optional: {},
  },
  'GET /rewards': {
    fields: {
      launches: {
        listOf: {
          fields: {
            mint: 'string',
            name: 'string',
            symbol: 'string',
            quote: { fields: { mint: 'string', symbol: 'string', decimals: 'number' }, optional: {} },
            distributedTokens: 'number',
            distributedRaw: 'string',
            distributedUsd: 'number',
            payoutCount: 'number',
            holderCount: 'number',
            roundCount: 'number',
            transactionCount: 'number',
            lastPayoutAt: { oneOf: ['string', 'null'] },
          },
          optional: {},
        },
      },
      recentDistributions: {
        listOf: {
          fields: {
            signature: 'string',
            mint: 'string',
            symbol: 'string',
            quoteMint: 'string',
            quoteSymbol: 'string',
            amountTokens: 'number',
            amountRaw: 'string',
            holderCount: 'number',
            slot: 'number',
            distributedAt: 'string',
          },
          optional: { amountUsd: 'number' },
        },
      },
      baseDistributions: { listOf: { fields: {}, optional: {} } },
      recentBaseDistributions: { listOf: { fields: {}, optional: {} } },
      pagination: {
        fields: { limit: 'number', hasMore: 'boolean', nextCursor: { oneOf: ['string', 'null'] } },
        optional: {},
      },
    },
    optional: {},
  },
  'GET /revenue': {
    fields: {
      revenue: {
        fields: {
          totalRevenueUsd: 'number',
          platformPairExcludedUsd: 'number',
          holdersRevenueUsd: 'number',
          protocolRevenueUsd: 'number',
          flywheelRevenueUsd: 'number',
          harvestCount: 'number',
          unpricedCount: 'number',
          totalBuybackUsd: 'number',
          boughtBackTokens: 'number',
          boughtBackValueUsd: 'number',
          buybackCount: 'number',
          lastBuybackAt: { oneOf: ['string', 'null'] },
        },
        optional: {},
      },
      burns: {
        fields: {
          totalValueUsdAtBurn: 'number',
          burnCount: 'number',
          mintCount: 'number',
          unpricedCount: 'number',
          bySource: {
            fields: {},
            optional: {
              auto: { fields: { amountTokens: 'number', valueUsd: 'number', count: 'number' }, optional: {} },
              buyback: { fields: { amountTokens: 'number', valueUsd: 'number', count: 'number' }, optional: {} },
              flywheel: { fields: { amountTokens: 'number', valueUsd: 'number', count: 'number' }, optional: {} },
              'quote-revenue': {
                fields: { amountTokens: 'number', valueUsd: 'number', count: 'number' },
                optional: {},
              },
              reward: { fields: { amountTokens: 'number', valueUsd: 'number', count: 'number' }, optional: {} },
              kickstart: { fields: { amountTokens: 'number', valueUsd: 'number', count: 'number' }, optional: {} },
            },
          },
        },
        optional: {},
      },
      config: { fields: { buybacksEnabled: 'boolean', buybackBurnEnabled: 'boolean' }, optional: {} },
      recentBuybacks: {
        listOf: {
          fields: {
            signature: 'string',
            quote: { fields: { mint: 'string', symbol: 'string' }, optional: {} },
            mint: 'string',
            symbol: 'string',
            spentTokens: 'number',
            spentRaw: 'string',
            spentValueUsd: { oneOf: ['number', 'null'] },
            boughtTokens: 'number',
            boughtRaw: 'string',
            boughtValueUsd: { oneOf: ['number', 'null'] },
            burnSignature: { oneOf: ['string', 'null'] },
            boughtAt: 'string',
          },
          optional: {},
        },
      },
      recentHarvests: {
        listOf: {
          fields: {
            signature: 'string',
            mint: 'string',
            symbol: 'string',
            quote: { fields: { mint: 'string', symbol: 'string' }, optional: {} },
            quoteTokens: 'number',
            quoteRaw: 'string',
            baseTokens: 'number',
            baseRaw: 'string',
            valueUsd: { oneOf: ['number', 'null'] },
            harvestedAt: 'string',
          },
          optional: { quotePriceUsd: 'number', priceSource: 'string', pricedAt: 'string' },
        },
      },
      recentBurns: {
        listOf: {
          fields: {
            signature: 'string',
            valueUsdAtBurn: { oneOf: ['number', 'null'] },
            source: 'string',
            burnedAt: 'string',
            mint: 'string',
            symbol: { oneOf: ['string', 'null'] },
            amountTokens: { oneOf: ['number', 'null'] },
            amountRaw: 'string',
          },
          optional: {},
        },
      },
    },
    optional: {},
  },
  'GET /revenue/history': {
    fields: {
      network: 'string',
      unit: 'string',
      start: 'string',
      source: 'string',
      coverage: {
        fields: {
          revenueRows: 'number',
          revenueRowsUnpriced: 'number',
          buybackRows: 'number',
          buybackRowsUnpriced: 'number',
        },
        optional: {},
      },
      days: {
        listOf: {
          fields: {
            date: 'string',
            dailyRevenue: 'number',
            dailyHoldersRevenue: 'number',
            dailyProtocolRevenue: 'number',
            dailyHoldersSpent: 'number',
          },
          optional: {},
        },
      },
    },
    optional: {},
  },
  'GET /platform/wallets': {
    fields: {
      wallets: {
        listOf: {
          fields: {
            number: 'number',
            role: 'string',
            address: 'string',
            mint: { oneOf: ['string', 'null'] },
            event: 'string',
            slot: 'number',
            notedAt: 'string',
          },
          optional: {},
        },
      },
      pagination: { fields: { limit: 'number', hasMore: 'boolean', nextCursor: 'string' }, optional: {} },
    },
    optional: {},
  },
  'GET /platform/log': {
    fields: {
      log: {
        oneOf: [
          {
            fields: { number: 'number', root: 'string', documentUrl: 'string', signature: 'string', slot: 'number' },
            optional: {},
          },
          'null',
        ],
      },
    },
    optional: {},
  },
  'GET /platform/statement': {
    fields: {
      budget: 'string',
      quote: { fields: { mint: 'string', symbol: 'string', decimals: 'number' }, optional: {} },
      movements: {
        listOf: {
          fields: {
            number: 'number',
            kind: 'string',
            mint: 'string',
            roundId: { oneOf: ['string', 'null'] },
            signature: { oneOf: ['string', 'null'] },
            slot: { oneOf: ['number', 'null'] },
            landedAt: { oneOf: ['string', 'null'] },
            valueUsd: { oneOf: ['number', 'null'] },
            bookedAt: 'string',
            baseInTokens: 'number',
            baseInRaw: 'string',
            baseOutTokens: 'number',
            baseOutRaw: 'string',
            quoteInTokens: 'number',
            quoteInRaw: 'string',
            quoteOutTokens: 'number',
            quoteOutRaw: 'string',
            harvest: {
              oneOf: [
                { fields: { quoteTokens: 'number', quoteRaw: 'string', shareBps: 'number' }, optional: {} },
                'null',
              ],
            },
          },
          optional: {},
        },
      },
      totals: {
        fields: {
          baseInTokens: 'number',
          baseInRaw: 'string',
          baseOutTokens: 'number',
          baseOutRaw: 'string',
          quoteInTokens: 'number',
          quoteInRaw: 'string',
          quoteOutTokens: 'number',
          quoteOutRaw: 'string',
          baseHeldTokens: 'number',
          baseHeldRaw: 'string',
          quoteHeldTokens: 'number',
          quoteHeldRaw: 'string',
        },
        optional: {},
      },
      pagination: { fields: { limit: 'number', hasMore: 'boolean', nextCursor: 'string' }, optional: {} },
    },
    optional: {},
  },
  'GET /stats': {
    fields: {
      network: 'string',
      tokens: {
        fields: {
          poolsAvailable: 'boolean',
          total: 'number',
          graduated: 'number',
          aboutToGraduate: 'number',
          rewardLaunches: 'number',
          totalMarketCapUsd: 'number',
          totalVolume24hUsd: 'number',
          totalLiquidityUsd: 'number',
        },
        optional: {},
      },
      launches: { fields: { total: 'number', last24h: 'number', creators: 'number' }, optional: {} },
      pairs: { fields: { launchable: 'number' }, optional: {} },
      revenue: { fields: { totalRevenueUsd: 'number', totalBuybackUsd: 'number' }, optional: {} },
      burns: { fields: { totalValueUsdAtBurn: 'number', burnCount: 'number' }, optional: {} },
      config: {
        fields: {
          graduationMarketCapUsd: 'number',
          aboutToGraduateMarketCapUsd: 'number',
          openingMarketCapUsd: 'number',
          paidLaunchesEnabled: 'boolean',
          apiLaunchesEnabled: 'boolean',
          claimsEnabled: 'boolean',
          rewardLaunchesEnabled: 'boolean',
          rewardLaunchesAdminOnly: 'boolean',
          devBuysEnabled: 'boolean',
          devBuyMaxPercent: 'number',
          airdropsEnabled: 'boolean',
          airdropMaxPercent: 'number',
          airdropMaxRecipients: 'number',
          launchLabEnabled: 'boolean',
          pumpLaunchesEnabled: 'boolean',
          tokenSupply: 'number',
          tokenDecimals: 'number',
          nameMaxBytes: 'number',
          symbolMaxBytes: 'number',
          logoMaxBytes: 'number',
        },
        optional: {},
      },
      payoutRule: { fields: { minHoldingUsd: 'number', minPayoutUsd: 'number' }, optional: {} },
      platform: {
        fields: { environment: 'string', exchange: 'string', tokenMint: { oneOf: ['string', 'null'] } },
        optional: {},
      },
    },
    optional: {},
  },
  'GET /wallets/{wallet}': {
    fields: {
      wallet: 'string',
      launchCount: 'number',
      positions: {
        listOf: {
          fields: {
            mint: 'string',
            name: 'string',
            symbol: 'string',
            pool: 'string',
            creator: 'string',
            createdAt: 'string',
            feeKey: {
              fields: { mint: 'string', holder: { oneOf: ['string', 'null'] }, isHeld: 'boolean' },
              optional: {},
            },
            claimable: {
              oneOf: [
                {
                  fields: {
                    base: {
                      fields: {
                        mint: 'string',
                        symbol: 'string',
                        decimals: 'number',
                        amountTokens: 'number',
                        amountRaw: 'string',
                      },
                      optional: { amountUsd: 'number' },
                    },
                    quote: {
                      fields: {
                        mint: 'string',
                        symbol: 'string',
                        decimals: 'number',
                        amountTokens: 'number',
                        amountRaw: 'string',
                      },
                      optional: { amountUsd: 'number' },
                    },
                  },
                  optional: {},
                },
                'null',
              ],
            },
          },
          optional: {},
        },
      },
      pagination: {
        fields: { limit: 'number', hasMore: 'boolean', nextCursor: { oneOf: ['string', 'null'] } },
        optional: {},
      },
    },
    optional: {},
  },
  'GET /wallets/{wallet}/rewards': {
    fields: {
      wallet: 'string',
      days: {
        listOf: {
          fields: {
            date: 'string',
            mint: 'string',
            symbol: 'string',
            quoteMint: 'string',
            quoteSymbol: 'string',
            amountTokens: 'number',
            amountRaw: 'string',
            valueUsd: 'number',
            payoutCount: 'number',
          },
          optional: {},
        },
      },
      payouts: {
        listOf: {
          fields: {
            date: 'string',
            paidAt: 'string',
            mint: 'string',
            symbol: 'string',
            quoteMint: 'string',
            quoteSymbol: 'string',
            amountTokens: 'number',
            amountRaw: 'string',
            valueUsd: { oneOf: ['number', 'null'] },
            signature: 'string',
            slot: 'number',
            roundId: 'string',
            roundNumber: 'number',
          },
          optional: {},
        },
      },
      pagination: {
        fields: { limit: 'number', hasMore: 'boolean', nextCursor: { oneOf: ['string', 'null'] } },
        optional: {},
      },
    },
    optional: {},
  },
  'GET /wallets/{wallet}/claims': {
    fields: {
      wallet: 'string',
      claims: {
        listOf: {
          fields: {
            intentId: 'string',
            mint: 'string',
            symbol: 'string',
            quoteMint: 'string',
            quoteSymbol: 'string',
            baseTokens: 'number',
            baseRaw: 'string',
            quoteTokens: 'number',
            quoteRaw: 'string',
            signature: 'string',
            slot: { oneOf: ['number', 'null'] },
            finalized: 'boolean',
            preparedAt: 'string',
            paidAt: { oneOf: ['string', 'null'] },
            valueUsd: { oneOf: ['number', 'null'] },
          },
          optional: {},
        },
      },
      pagination: {
        fields: { limit: 'number', hasMore: 'boolean', nextCursor: { oneOf: ['string', 'null'] } },
        optional: {},
      },
    },
    optional: {},
  },
  'GET /wallets/{wallet}/trades': {
    fields: {
      wallet: 'string',
      trades: {
        listOf: {
          fields: {
            mint: 'string',
            symbol: 'string',
            quoteMint: 'string',
            quoteSymbol: 'string',
            signature: 'string',
            index: 'number',
            slot: 'number',
            tradedAt: 'string',
            side: 'string',
            amountTokens: 'number',
            amountRaw: 'string',
            quoteTokens: 'number',
            quoteRaw: 'string',
            priceQuote: 'number',
            priceUsd: { oneOf: ['number', 'null'] },
            valueUsd: { oneOf: ['number', 'null'] },
            finalized: 'boolean',
          },
          optional: {},
        },
      },
      pagination: {
        fields: { limit: 'number', hasMore: 'boolean', nextCursor: { oneOf: ['string', 'null'] } },
        optional: {},
      },
    },
    optional: {},
  },
  'GET /events': {
    fields: {
      events: {
        listOf: {
          fields: {
            id: 'string',
            type: 'string',
            recordedAt: 'string',
            mint: { oneOf: ['string', 'null'] },
            wallet: { oneOf: ['string', 'null'] },
            creator: { oneOf: ['string', 'null'] },
          },
          optional: {
            launch: {
              fields: {
                quoteId: 'string',
                paymentSignature: { oneOf: ['string', 'null'] },
                refundSignature: { oneOf: ['string', 'null'] },
                slot: { oneOf: ['number', 'null'] },
              },
              optional: {},
            },
            token: {
              fields: {
                name: 'string',
                symbol: 'string',
                decimals: 'number',
                pool: 'string',
                mode: 'string',
                quoteMint: 'string',
                quoteSymbol: 'string',
                slot: { oneOf: ['number', 'null'] },
                createdAt: 'string',
                highestMarketCapUsd: { oneOf: ['number', 'null'] },
              },
              optional: {},
            },
            trade: {
              fields: {
                signature: 'string',
                index: 'number',
                slot: 'number',
                tradedAt: 'string',
                side: 'string',
                amountTokens: 'number',
                amountRaw: 'string',
                quoteTokens: 'number',
                quoteRaw: 'string',
                quoteMint: 'string',
                priceQuote: 'number',
                priceUsd: { oneOf: ['number', 'null'] },
                valueUsd: { oneOf: ['number', 'null'] },
              },
              optional: {},
            },
            round: {
              fields: {
                id: 'string',
                number: 'number',
                quoteMint: 'string',
                division: {
                  oneOf: [
                    {
                      fields: {
                        budgetTokens: 'number',
                        budgetRaw: 'string',
                        holderCount: 'number',
                        documentUrl: { oneOf: ['string', 'null'] },
                      },
                      optional: {},
                    },
                    'null',
                  ],
                },
                payment: {
                  oneOf: [
                    { fields: { paidTokens: 'number', paidRaw: 'string', recipientCount: 'number' }, optional: {} },
                    'null',
                  ],
                },
                note: { oneOf: ['string', 'null'] },
              },
              optional: {},
            },
            payout: {
              fields: {
                roundId: 'string',
                roundNumber: 'number',
                quoteMint: 'string',
                amountTokens: 'number',
                amountRaw: 'string',
                valueUsd: { oneOf: ['number', 'null'] },
                signature: 'string',
                slot: 'number',
                paidAt: 'string',
              },
              optional: {},
            },
            claim: {
              fields: {
                intentId: 'string',
                signature: 'string',
                slot: { oneOf: ['number', 'null'] },
                quoteMint: 'string',
                baseTokens: 'number',
                baseRaw: 'string',
                quoteTokens: 'number',
                quoteRaw: 'string',
              },
              optional: {},
            },
            harvest: {
              fields: {
                signature: 'string',
                slot: 'number',
                quoteMint: 'string',
                quoteTokens: 'number',
                quoteRaw: 'string',
                baseTokens: 'number',
                baseRaw: 'string',
                valueUsd: { oneOf: ['number', 'null'] },
                buybackBps: 'number',
                harvestedAt: 'string',
              },
              optional: {},
            },
            burn: {
              fields: {
                signature: 'string',
                valueUsdAtBurn: { oneOf: ['number', 'null'] },
                source: 'string',
                burnedAt: 'string',
                amountTokens: 'number',
                amountRaw: 'string',
              },
              optional: {},
            },
            buyback: {
              fields: {
                kind: 'string',
                quoteMint: 'string',
                spentTokens: 'number',
                spentRaw: 'string',
                spentValueUsd: { oneOf: ['number', 'null'] },
                boughtTokens: 'number',
                boughtRaw: 'string',
                signature: 'string',
                slot: 'number',
              },
              optional: {},
            },
            airdrop: {
              fields: {
                shareTokens: 'number',
                shareRaw: 'string',
                deliveredTokens: 'number',
                deliveredRaw: 'string',
                recipientCount: 'number',
                recipientsUri: 'string',
              },
              optional: {},
            },
            pair: { fields: { symbol: 'string', name: 'string', category: 'string' }, optional: {} },
            switch: { fields: { name: 'string', value: 'string' }, optional: {} },
          },
        },
      },
      pagination: { fields: { limit: 'number', hasMore: 'boolean', nextCursor: 'string' }, optional: {} },
    },
    optional: {},
  },
  'POST /launches/prepare': {
    fields: {
      signedQuote: 'string',
      paymentTransaction: 'string',
      quoteId: 'string',
      mint: 'string',
      payment: {
        fields: {
          lamports: 'number',
          sol: 'number',
          to: 'string',
          feeLamports: 'number',
          feeSol: 'number',
          items: { listOf: { fields: { item: 'string', lamports: 'number' }, optional: {} } },
        },
        optional: {},
      },
      mode: 'string',
      poolFeePercent: 'number',
      transferFee: { oneOf: [{ fields: { bps: 'number' }, optional: {} }, 'null'] },
      devBuy: {
        oneOf: [
          {
            fields: { tokens: 'number', tokensRaw: 'string', lamports: 'number' },
            optional: { netTokens: 'number', netTokensRaw: 'string' },
          },
          'null',
        ],
      },
      airdrop: {
        oneOf: [
          {
            fields: {
              source: 'string',
              tier: 'string',
              percent: 'number',
              tokens: 'number',
              tokensRaw: 'string',
              recipients: 'number',
              feeLamports: 'number',
              delivery: 'string',
              snapshotSlot: 'number',
              recipientsHash: 'string',
            },
            optional: {},
          },
          'null',
        ],
      },
      openingMarketCapUsd: 'number',
      quotePriceUsd: 'number',
      metadataUri: 'string',
      expiresAt: 'string',
      lastValidBlockHeight: 'number',
    },
    optional: {
      feeRecipient: 'string',
      similarTo: {
        fields: { mint: 'string', name: 'string', symbol: 'string', kind: 'string', why: 'string' },
        optional: {},
      },
    },
  },
  'POST /launches/submit': {
    fields: { status: 'string', paymentSignature: 'string' },
    optional: { onChain: 'string', awaitsOperator: 'boolean', mint: 'string', pool: 'string' },
  },
  'GET /launches/{paymentSignature}': {
    fields: {
      status: 'string',
      paymentSignature: 'string',
      quoteId: 'string',
      name: 'string',
      symbol: 'string',
      creator: 'string',
      launchpad: 'string',
      mode: 'string',
      quote: { fields: { mint: 'string', symbol: 'string' }, optional: {} },
      quoteMint: 'string',
      quoteSymbol: 'string',
      poolFeePercent: 'number',
      startMarketCapUsd: 'number',
      targetMarketCapUsd: 'number',
      payment: { fields: { lamports: 'number' }, optional: {} },
      devBuy: {
        oneOf: [
          {
            fields: { tokens: 'number', tokensRaw: 'string', lamports: 'number' },
            optional: { netTokens: 'number', netTokensRaw: 'string' },
          },
          'null',
        ],
      },
      airdrop: {
        oneOf: [
          {
            fields: {
              source: 'string',
              tier: 'string',
              percent: 'number',
              tokens: 'number',
              tokensRaw: 'string',
              recipients: 'number',
              feeLamports: 'number',
              delivery: 'string',
              snapshotSlot: 'number',
              recipientsHash: 'string',
            },
            optional: {},
          },
          'null',
        ],
      },
      launchWallet: 'string',
      states: {
        listOf: { fields: { state: 'string', at: 'string', slot: { oneOf: ['number', 'null'] } }, optional: {} },
      },
      transactions: {
        listOf: {
          fields: { purpose: 'string', status: 'string', signature: 'string', slot: { oneOf: ['number', 'null'] } },
          optional: {},
        },
      },
    },
    optional: {
      onChain: 'string',
      awaitsOperator: 'boolean',
      mint: 'string',
      pool: 'string',
      feeRecipient: 'string',
      transferFee: { fields: { bps: 'number' }, optional: {} },
      feeTier: 'string',
      rewardTaxBps: 'number',
      feeKeyMints: { listOf: 'string' },
    },
  },
  'GET /launches/{paymentSignature}/receipt': {
    fields: {
      paymentSignature: 'string',
      quoteId: 'string',
      receipt: { oneOf: ['string', 'null'] },
      log: {
        oneOf: [
          {
            fields: { number: 'number', root: 'string', documentUrl: 'string', signature: 'string', slot: 'number' },
            optional: {},
          },
          'null',
        ],
      },
    },
    optional: {},
  },
  'GET /tokens/{mint}/fees': {
    fields: {
      mint: 'string',
      mode: 'string',
      pool: 'string',
      creator: { oneOf: ['string', 'null'] },
      claimable: {
        oneOf: [
          {
            fields: {
              base: {
                fields: {
                  mint: 'string',
                  symbol: 'string',
                  decimals: 'number',
                  amountTokens: 'number',
                  amountRaw: 'string',
                },
                optional: { amountUsd: 'number' },
              },
              quote: {
                fields: {
                  mint: 'string',
                  symbol: 'string',
                  decimals: 'number',
                  amountTokens: 'number',
                  amountRaw: 'string',
                },
                optional: { amountUsd: 'number' },
              },
            },
            optional: {},
          },
          'null',
        ],
      },
      claimUrl: 'string',
      claimApi: 'string',
    },
    optional: {
      reason: 'string',
      feeKey: { fields: { mint: 'string', holder: { oneOf: ['string', 'null'] } }, optional: {} },
    },
  },
  'POST /tokens/{mint}/fees/claim/prepare': {
    fields: {
      intentId: 'string',
      transaction: 'string',
      mint: 'string',
      creatorWallet: 'string',
      expiresAt: 'string',
      amounts: {
        fields: {
          base: {
            fields: {
              mint: 'string',
              symbol: 'string',
              decimals: 'number',
              amountTokens: 'number',
              amountRaw: 'string',
            },
            optional: { amountUsd: 'number' },
          },
          quote: {
            fields: {
              mint: 'string',
              symbol: 'string',
              decimals: 'number',
              amountTokens: 'number',
              amountRaw: 'string',
            },
            optional: { amountUsd: 'number' },
          },
        },
        optional: {},
      },
    },
    optional: {},
  },
  'POST /tokens/{mint}/fees/claim/submit': {
    fields: { intentId: 'string', signature: 'string', alreadySubmitted: 'boolean' },
    optional: { landed: 'boolean', reason: 'string' },
  },
  'POST /wallets/{wallet}/fees/claim/prepare': {
    fields: {
      wallet: 'string',
      claims: {
        listOf: {
          fields: {
            intentId: 'string',
            transaction: 'string',
            mint: 'string',
            creatorWallet: 'string',
            expiresAt: 'string',
            amounts: {
              fields: {
                base: {
                  fields: {
                    mint: 'string',
                    symbol: 'string',
                    decimals: 'number',
                    amountTokens: 'number',
                    amountRaw: 'string',
                  },
                  optional: { amountUsd: 'number' },
                },
                quote: {
                  fields: {
                    mint: 'string',
                    symbol: 'string',
                    decimals: 'number',
                    amountTokens: 'number',
                    amountRaw: 'string',
                  },
                  optional: { amountUsd: 'number' },
                },
              },
              optional: {},
            },
          },
          optional: {},
        },
      },
      deferred: { listOf: { fields: { mint: 'string', reason: 'string' }, optional: {} } },
      remaining: 'number',
      nextCursor: { oneOf: ['string', 'null'] },
    },
    optional: {},
  },
};
