import { Argument, Command } from 'commander';
import { exitCodeOf, NotProvable } from '../verify/check.ts';
import { verifyAirdrop } from '../verify/airdrop/verify-airdrop.ts';
import { verifyClaim } from '../verify/claim/verify-claim.ts';
import { shownLaunch } from '../verify/launch/shown-launch.ts';
import { verifyLaunch } from '../verify/launch/verify-launch.ts';
import type { MoneyWish } from '../verify/launch/wish-checks.ts';
import { verifyReceipt } from '../verify/receipt/verify-receipt.ts';
import { readRevenue } from '../verify/revenue/shown-revenue.ts';
import { verifyRevenue } from '../verify/revenue/verify-revenue.ts';
import { WINDOW_SLOTS } from '../verify/round/draw.ts';
import type { ShownWallets } from '../verify/round/sealed-wallets.ts';
import { verifyRound } from '../verify/round/verify-round.ts';
import {
  type BudgetName,
  readBudgetStatement,
  readPotStatement,
  type ShownRow,
} from '../verify/statement/movement-rows.ts';
import { verifyBudget } from '../verify/statement/verify-budget.ts';
import { verifyStatement } from '../verify/statement/verify-statement.ts';
import { readShownTreasury } from '../verify/treasury/shown-treasury.ts';
import { verifyTreasury } from '../verify/treasury/verify-treasury.ts';
import { verifyWallets } from '../verify/wallets/verify-wallets.ts';
import { readTreasuries, readWallets } from '../verify/wallets/wallet-list.ts';
import { apiOf, lamportsOf, positive, positiveInteger } from './common.ts';
import { textOf } from './document-text.ts';
import { logDocuments, logOfReceipt, logOfRound } from './shown-logs.ts';
import { keep, keptIn } from './verify-lists.ts';
import { webhookCommand } from './verify-webhook.ts';
import { chainOf, report, verifying, type VerifyOptions } from './verifying.ts';

interface RoundOptions extends VerifyOptions {
  readonly document: string;
  readonly log?: string;
  readonly url?: string;
  readonly platformWallet?: string;
  readonly windowSlots: number;
  readonly owner?: string;
  readonly rows: number;
  readonly seed?: string;
  readonly most: number;
}

/** `slipway verify` */
export function verifyCommand(): Command {
  return new Command('verify')
    .description(
      'Check by the chain and public documents alone what the platform did. Exit code 0: all is proven; 1: a difference; ' +
        '2: no difference, and something cannot be proven from here',
    )
    .addCommand(roundCommand())
    .addCommand(airdropCommand())
    .addCommand(claimCommand())
    .addCommand(launchCommand())
    .addCommand(receiptCommand())
    .addCommand(webhookCommand())
    .addCommand(walletsCommand())
    .addCommand(statementCommand())
    .addCommand(budgetCommand())
    .addCommand(treasuryCommand())
    .addCommand(revenueCommand());
}

interface LaunchOptions extends VerifyOptions {
  readonly url?: string;
  readonly most: number;
  readonly maxSol?: bigint;
  readonly devBuyPercent?: number;
  readonly devBuySol?: bigint;
  readonly airdropPercent?: number;
}

function launchCommand(): Command {
  return verifying('launch', 'Check a launch: its payment, that it is whole, and that nobody has power over the coin')
    .argument('<launch>', 'mint of the coin, or signature of the payment')
    .option('--url <url>', 'root of the API, which ends in /api/public/v1: its wallets must have the other Fee Key')
    .option('--most <count>', 'transactions of the mint to read to find its first', positiveInteger, 20_000)
    .option('--max-sol <sol>', 'as at `slipway launch`: it must have cost no more', lamportsOf)
    .option('--dev-buy-percent <percent>', 'as at `slipway launch`: the creator must have got it', positive)
    .option('--dev-buy-sol <sol>', 'as at `slipway launch`: the dev buy must have cost no more', lamportsOf)
    .option('--airdrop-percent <percent>', 'as at `slipway launch`: so much must be kept for it', positive)
    .action(async (launch: string, { url, most, ...options }: LaunchOptions) => {
      const chain = chainOf(options);
      const shown = url === undefined ? null : shownLaunch(apiOf({ url, ...options }));
      report(await verifyLaunch({ launch, chain, most, shown, wish: wishOf(options) }), chain, options);
    });
}

/** Null where no part of a wish is given. A part that is missing beside others was not asked for. */
function wishOf({ maxSol, devBuyPercent, devBuySol, airdropPercent }: Omit<LaunchOptions, 'most'>): MoneyWish | null {
  const wish: MoneyWish = {
    ...(maxSol !== undefined && { maxLamports: maxSol }),
    ...(devBuyPercent !== undefined && { devBuyPercent }),
    ...(devBuySol !== undefined && { devBuyLamports: devBuySol }),
    ...(airdropPercent !== undefined && { airdropPercent }),
  };
  return Object.keys(wish).length === 0 ? null : wish;
}

/** Characters. */
const MOST_OF_RECEIPT = 100_000;

function receiptCommand(): Command {
  return verifying('receipt', 'Check a receipt of a launch: who signed it, and that the chain says the same')
    .argument('<file or URL>', 'the receipt, as GET /launches/{paymentSignature}/receipt gives it')
    .requiredOption('--url <url>', 'root of the API that lists the keys, which ends in /api/public/v1')
    .option('--log <file or URL>', 'document of the log that has it (default: as the API names it)')
    .option('--most <count>', 'transactions of the launch wallet to read', positiveInteger, 1_000)
    .action(async (receipt: string, { url, most, log: own, ...options }: ListOptions & { readonly log?: string }) => {
      const chain = chainOf(options);
      const { allowHttp } = options;
      const api = apiOf({ url, ...options });
      const keys = async () => [...(await readWallets(api, 'receipts')), ...(await readWallets(api, 'platform'))];
      const log = async (paymentSignature: string) =>
        own === undefined
          ? logOfReceipt(api, paymentSignature, allowHttp)
          : { text: textOf(own, allowHttp), source: own };
      const text = async () => {
        let whole = '';
        for await (const piece of textOf(receipt, allowHttp)) {
          whole += piece;
          if (whole.length > MOST_OF_RECEIPT) throw new NotProvable(`${receipt} is longer than any receipt`);
        }
        return whole;
      };
      report(await verifyReceipt({ text, source: receipt, chain, keys, log, most }), chain, options);
    });
}

interface ListOptions extends VerifyOptions {
  readonly url: string;
  readonly state?: string;
  readonly most: number;
}

interface WalletsOptions extends ListOptions {
  readonly pots: number;
  readonly logs: number;
}

function walletsCommand(): Command {
  return verifying('wallets', 'Check the list of the platform’s own wallets against the chain')
    .requiredOption('--url <url>', 'root of the API that shows the list, which ends in /api/public/v1')
    .option('--state <file>', 'keeps what was seen: the next run requires that it is unchanged')
    .option('--most <count>', 'newest transactions to read of each wallet', positiveInteger, 20)
    .option('--pots <count>', 'newest pots to read', positiveInteger, 20)
    .option('--logs <count>', 'newest sealed logs to read', positiveInteger, 10)
    .action(async ({ url, state, most, pots, logs, ...options }: WalletsOptions) => {
      const chain = chainOf(options);
      const kept = await keptIn(state);
      const api = apiOf({ url, ...options });
      let seen: Awaited<ReturnType<typeof readWallets>> = [];
      const wallets = async () => (seen = await readWallets(api));
      const document = logDocuments(api, options.allowHttp);
      const checks = await verifyWallets({ wallets, source: url, chain, document, kept, most, pots, logs });
      if (exitCodeOf(checks) !== 1 && seen.length > 0) await keep(state, seen);
      report(checks, chain, options);
    });
}

function listing(name: string, description: string): Command {
  return verifying(name, description)
    .requiredOption('--url <url>', 'root of the API that shows the statement, which ends in /api/public/v1')
    .option('--state <file>', 'keeps what was seen: the next run requires that it is unchanged')
    .option('--most <count>', 'rows, and transactions of each history, to read', positiveInteger, 2_000);
}

function statementCommand(): Command {
  return listing('statement', 'Check the statement of a coin’s pot: that it is whole and closes to the unit')
    .argument('<mint>', 'the reward coin')
    .action(async (mint: string, { url, state, most, ...options }: ListOptions) => {
      const chain = chainOf(options);
      const api = apiOf({ url, ...options });
      let seen: readonly ShownRow[] = [];
      const statement = async () => {
        const read = await readPotStatement(api, mint);
        seen = read.rows;
        return read;
      };
      const kept = await keptIn(state);
      const checks = await verifyStatement({ mint, statement, source: url, chain, kept, most });
      if (exitCodeOf(checks) !== 1 && seen.length > 0) await keep(state, seen);
      report(checks, chain, options);
    });
}

function revenueCommand(): Command {
  return verifying('revenue', 'Check the revenue: each harvest, its sums by day, and that no fees went elsewhere')
    .requiredOption('--url <url>', 'root of the API that shows the revenue, which ends in /api/public/v1')
    .option('--most <count>', 'harvests of each quote token to read', positiveInteger, 2_000)
    .action(async ({ url, most, ...options }: ListOptions) => {
      const chain = chainOf(options);
      const api = apiOf({ url, ...options });
      report(await verifyRevenue({ revenue: () => readRevenue(api), source: url, chain, most }), chain, options);
    });
}

function treasuryCommand(): Command {
  return verifying('treasury', 'Make the statement of the treasury’s quote tokens from the chain: in is out and held')
    .argument('<quote mint>', 'mint of the quote token')
    .requiredOption('--url <url>', 'root of the API whose documents explain it, which ends in /api/public/v1')
    .option('--most <count>', 'transactions to read of each account', positiveInteger, 2_000)
    .action(async (quoteMint: string, { url, most, ...options }: ListOptions) => {
      const chain = chainOf(options);
      const api = apiOf({ url, ...options });
      const treasury = () => readShownTreasury(api, quoteMint);
      report(await verifyTreasury({ quoteMint, treasury, source: url, chain, most }), chain, options);
    });
}

function budgetCommand(): Command {
  return listing('budget', 'Check what is set aside of the revenue: its shares, purchases, and that it is there')
    .argument('<quote mint>', 'mint of the quote token')
    .addArgument(new Argument('<budget>', 'the budget').choices(['buyback', 'flywheel']))
    .action(async (quoteMint: string, budget: BudgetName, { url, state, most, ...options }: ListOptions) => {
      const chain = chainOf(options);
      const api = apiOf({ url, ...options });
      let seen: readonly ShownRow[] = [];
      const statement = async () => {
        const read = await readBudgetStatement(api, quoteMint, budget);
        seen = read.rows;
        return read;
      };
      const treasuries = () => readTreasuries(api);
      const kept = await keptIn(state);
      const checks = await verifyBudget({ quoteMint, statement, treasuries, source: url, chain, kept, most });
      if (exitCodeOf(checks) !== 1 && seen.length > 0) await keep(state, seen);
      report(checks, chain, options);
    });
}

interface ClaimOptions extends VerifyOptions {
  readonly wallet?: string;
  readonly intent?: string;
  readonly collectBy?: readonly string[];
}

function claimCommand(): Command {
  return verifying('claim', 'Check a claim of creator fees: who was paid, with what, and that nothing else moved')
    .argument('<signature>', 'the transaction')
    .option('--wallet <address>', 'wallet that must have been paid (default: the one that paid its network fee)')
    .option('--intent <id>', 'claim that it must be of (default: any)')
    .option('--collect-by <programs...>', 'programs that may collect (default: Raydium’s lock program)')
    .action(async (signature: string, { wallet, intent, collectBy, ...options }: ClaimOptions) => {
      const chain = chainOf(options);
      const question = {
        signature,
        chain,
        ...(wallet !== undefined && { wallet }),
        ...(intent !== undefined && { intentId: intent }),
        ...(collectBy !== undefined && { collectBy }),
      };
      report(await verifyClaim(question), chain, options);
    });
}

function roundCommand(): Command {
  return verifying('round', 'Check a reward round: its seal, sums, division, draws, collections and payouts')
    .argument('<mint>', 'the reward coin')
    .argument('<number>', 'number of the round', positiveInteger)
    .requiredOption('--document <file or URL>', 'the sealed document, as GET /documents/{root} serves it')
    .option('--log <file or URL>', 'document of the log that its prices are from (default: beside that of the round)')
    .option(
      '--url <url>',
      'root of the API that lists the wallets: the platform may have sealed with another one before',
    )
    .option('--platform-wallet <address>', 'wallet that must have sealed it (default: the payer of its collections)')
    .option(
      '--window-slots <count>',
      'length of the windows in which balances are observed',
      positiveInteger,
      WINDOW_SLOTS,
    )
    .option('--owner <wallet>', 'check the balances of this wallet, and the seal, alone')
    .option(
      '--rows <count>',
      'rows whose balances are read; of more, so many are drawn by payout',
      positiveInteger,
      1_000,
    )
    .option('--seed <text>', 'draws these rows (default: at random)')
    .option('--most <count>', 'transactions of the pot to read on either side of the seal', positiveInteger, 2_000)
    .action(
      async (mint: string, number: number, { document, platformWallet, log: own, url, ...options }: RoundOptions) => {
        const { windowSlots, most, owner, rows, seed } = options;
        const chain = chainOf(options);
        const text = textOf(document, options.allowHttp);
        const log = logOfRound(document, own, options.allowHttp);
        const question = { mint, number, text, source: document, chain, log, windowSlots, rows, most };
        const wallets = url !== undefined && { wallets: walletsAt(url, options) };
        const which = { ...(owner !== undefined && { owner }), ...(seed !== undefined && { seed }) };
        const wallet = platformWallet !== undefined && { platformWallet };
        report(await verifyRound({ ...question, ...wallets, ...wallet, ...which }), chain, options);
      },
    );
}

function walletsAt(url: string, options: VerifyOptions): ShownWallets {
  return { read: () => readWallets(apiOf({ url, ...options })), source: url };
}

interface AirdropOptions extends VerifyOptions {
  readonly document: string;
  readonly recipientsHash?: string;
  readonly most: number;
}

function airdropCommand(): Command {
  return verifying('airdrop', 'Check an airdrop: its seal, its list, its division, and who got what')
    .argument('<mint>', 'the launched coin')
    .requiredOption('--document <file or URL>', 'the sealed document, as GET /documents/{root} serves it')
    .option('--recipients-hash <hex>', 'list that it must be of, as prepare gave it (default: any)')
    .option('--most <count>', 'transactions of the launch wallet to read', positiveInteger, 5_000)
    .action(async (mint: string, { document, recipientsHash, most, ...options }: AirdropOptions) => {
      const chain = chainOf(options);
      const list = recipientsHash !== undefined && { recipientsHash };
      const text = textOf(document, options.allowHttp);
      report(await verifyAirdrop({ mint, text, source: document, chain, most, ...list }), chain, options);
    });
}
