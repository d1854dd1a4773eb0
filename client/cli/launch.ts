import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { type Command, Option } from 'commander';
import { launch, type LaunchOutcome, type LaunchProgress, type LaunchQuote, type LaunchWish } from '../index.ts';
import {
  apiOf,
  encryptedUrl,
  exitCodeOf,
  lamportsOf,
  positive,
  signerOf,
  signingCommand,
  type SigningOptions,
  stateFileOf,
} from './common.ts';
import { FEE_TIERS } from '../fee-tiers.ts';
import { RECIPIENTS } from '../launch/check-quote.ts';
import { fileStore } from './file-store.ts';
import { print, say } from './say.ts';

interface LaunchCommandOptions extends SigningOptions, Omit<LaunchWish, 'creatorWallet' | 'logo'> {
  readonly logo: string;
  readonly maxSol: bigint;
  readonly rpcUrl?: string;
}

export function launchCommand(): Command {
  return signingCommand(
    'launch',
    'Launch a token: ask for a quote, check the payment, sign it once, and wait for the outcome',
  )
    .requiredOption('--quote-mint <mint>', 'mint of the token it is paired with; GET /pairs lists them')
    .requiredOption('--name <text>', 'name, 1 to 32 bytes')
    .requiredOption('--symbol <text>', 'symbol, 1 to 10 bytes')
    .requiredOption('--logo <file>', 'a png, jpeg or webp of up to 512 KB')
    .requiredOption('--max-sol <sol>', 'most that it may cost, dev buy and airdrop included', lamportsOf)
    .addOption(new Option('--mode <mode>', 'fee model').choices(['standard', 'reward']))
    .addOption(new Option('--fee-tier <tier>', 'of a standard launch').choices(Object.keys(FEE_TIERS)))
    .option('--fee-recipient <wallet>', 'of a standard launch: wallet that gets the Fee Key; default: the signer')
    .addOption(new Option('--reward-tax-bps <bps>', 'of a reward launch').choices(['100', '300']))
    .option('--dev-buy-percent <percent>', 'share of the supply to buy, at most 2.5', positive)
    .option('--dev-buy-sol <sol>', 'SOL to spend on a dev buy', positive)
    .option('--airdrop-percent <percent>', 'share of the supply for holders of the quote token', positive)
    .addOption(new Option('--airdrop-tier <tier>', 'how many of them').choices(Object.keys(RECIPIENTS)))
    .option('--website <url>', 'public HTTPS URL')
    .option('--twitter <name>', '@name or URL')
    .option('--telegram <name>', '@name or URL')
    .option(
      '--rpc-url <url>',
      'an RPC endpoint of your own, which must not have a payment that is said not to be charged',
    )
    .action(run);
}

async function run(options: LaunchCommandOptions): Promise<void> {
  const [signer, token] = [signerOf(options), tokenOf(options)];
  const outcome = await launch({
    api: apiOf(options),
    signer,
    token,
    maxLamports: options.maxSol,
    onProgress: tell,
    ...(options.rpcUrl !== undefined && { rpcUrl: encryptedUrl(options.rpcUrl, options.allowHttp) }),
    ...(options.dryRun ? { approve: () => false } : { store: fileStore(stateFileOf(options, signer.address, token)) }),
  });
  print(outcome, options.json === true, linesOf(outcome));
  process.exitCode = exitCodeOf(outcome, options.dryRun ? ['declined'] : ['completed']);
}

function tokenOf(options: LaunchCommandOptions): Omit<LaunchWish, 'creatorWallet'> {
  return {
    quoteMint: options.quoteMint,
    name: options.name,
    symbol: options.symbol,
    mode: options.mode,
    feeTier: options.feeTier,
    rewardTaxBps: options.rewardTaxBps,
    feeRecipient: options.feeRecipient,
    devBuyPercent: options.devBuyPercent,
    devBuySol: options.devBuySol,
    airdropPercent: options.airdropPercent,
    airdropTier: options.airdropTier,
    website: options.website,
    twitter: options.twitter,
    telegram: options.telegram,
    logo: dataUrlOf(options.logo),
  };
}

const TYPES: Readonly<Record<string, string>> = { '.png': 'png', '.jpg': 'jpeg', '.jpeg': 'jpeg', '.webp': 'webp' };

function dataUrlOf(file: string): string {
  const type = TYPES[extname(file).toLowerCase()];
  if (type === undefined) throw new Error(`${file} is not named as a png, jpeg or webp`);
  return `data:image/${type};base64,${readFileSync(file, 'base64')}`;
}

function tell(progress: LaunchProgress): void {
  if (progress.step === 'prepared') say(`${priceOf(progress.quote)}, checked`);
  if (progress.step === 'signed') say(`signed as ${progress.launch.paymentSignature}`);
  if (progress.step === 'resumed') say(`going on with ${progress.launch.paymentSignature}, signed before`);
  if (progress.step === 'waiting') say(`waiting: ${progress.because}`);
}

function priceOf({ payment, mint, feeRecipient }: LaunchQuote): string {
  const items = payment.items.map(({ item, lamports }) => `${item} ${lamports}`).join(', ');
  const recipient = feeRecipient === undefined ? '' : `, Fee Key to ${feeRecipient}`;
  return `${mint} for ${payment.sol} SOL (lamports: ${items})${recipient}`;
}

function linesOf(outcome: LaunchOutcome): string[] {
  switch (outcome.status) {
    case 'completed':
      return [`live: ${outcome.mint}`, `paid by ${outcome.paymentSignature}`];
    case 'declined':
      return [`dry run, nothing was signed: ${priceOf(outcome.quote)}`];
    case 'needs_recovery':
      return [`paid, and an operator is at it; never pay again: ${outcome.paymentSignature}`, outcome.reason];
    case 'unknown':
      return [
        `not known yet; never pay again, run the same command again: ${outcome.paymentSignature}`,
        outcome.reason,
      ];
    case 'refunded':
      return [`refunded by ${outcome.refundSignature}`, outcome.reason];
    case 'not_charged':
      return ['not charged, as the platform says; run the same command again if you like', outcome.reason];
  }
}
