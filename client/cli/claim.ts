import type { Command } from 'commander';
import { claim, claimAll, type ClaimOfAll, type ClaimProgress, type ClaimQuote, type Collection } from '../index.ts';
import { apiOf, exitCodeOf, signerOf, signingCommand, type SigningOptions, stateFileOf } from './common.ts';
import { fileStore } from './file-store.ts';
import { print, say } from './say.ts';

export function claimCommand(collection?: Collection): Command {
  return signingCommand(
    'claim',
    'Claim the creator fees of a token: check the claim, sign it once, and wait for the outcome',
  )
    .argument('[mint]', 'the launched token')
    .option('--all', 'claim the fees of every token whose Fee Key the wallet holds, one after the other')
    .option('--quote-mint <mint>', 'mint of the token it is paired with: a claim of any other is refused')
    .action(async (mint: string | undefined, options: ClaimCommandOptions) => {
      if ((mint === undefined) !== (options.all === true)) throw new Error('claim needs either a mint or --all');
      await (mint === undefined ? runAll(options, collection) : run(mint, options, collection));
    });
}

interface ClaimCommandOptions extends SigningOptions {
  readonly quoteMint?: string;
  readonly all?: true;
}

async function run(mint: string, options: ClaimCommandOptions, collection: Collection | undefined): Promise<void> {
  const signer = signerOf(options);
  const outcome = await claim({
    api: apiOf(options),
    signer,
    mint,
    collection,
    onProgress: tell,
    ...(options.quoteMint !== undefined && { quoteMint: options.quoteMint }),
    ...(options.dryRun
      ? { approve: () => false }
      : { store: fileStore(stateFileOf(options, signer.address, { mint })) }),
  });
  print(outcome, options.json === true, linesOf(outcome));
  process.exitCode = exitCodeOf(
    outcome,
    options.dryRun ? ['declined', 'nothing_to_claim'] : ['paid', 'nothing_to_claim'],
  );
}

async function runAll(options: ClaimCommandOptions, collection: Collection | undefined): Promise<void> {
  const { dryRun, state, quoteMint } = options;
  if (state !== undefined || quoteMint !== undefined)
    throw new Error('--state and --quote-mint are of one mint, not of --all');
  const signer = signerOf(options);
  const claims: ClaimOfAll[] = [];
  const successes = dryRun ? ['declined', 'nothing_to_claim'] : ['paid', 'nothing_to_claim'];
  const each = claimAll({
    api: apiOf(options),
    signer,
    collection,
    onProgress: tell,
    onPosition: ({ mint, symbol }) => say(`${symbol} ${mint}`),
    ...(dryRun
      ? { approve: () => false }
      : { storeOf: (mint: string) => fileStore(stateFileOf(options, signer.address, { mint })) }),
  });
  for await (const claimed of each) {
    claims.push(claimed);
    if (options.json !== true)
      print(claimed, false, [claimed.mint, ...linesOf(claimed.outcome).map((line) => `  ${line}`)]);
  }
  if (options.json === true) print({ claims }, true, []);
  else if (claims.length === 0) print({ claims }, false, ['nothing to claim']);
  process.exitCode = claims.every(({ outcome }) => successes.includes(outcome.status)) ? 0 : 2;
}

function tell(progress: ClaimProgress): void {
  if (progress.step === 'prepared') say(`${amountsOf(progress.quote.amounts)}, checked`);
  if (progress.step === 'signed') say(`signed claim ${progress.claim.intentId}`);
  if (progress.step === 'resumed') say(`going on with claim ${progress.claim.intentId}, signed before`);
  if (progress.step === 'waiting') say(`waiting: ${progress.because}`);
}

function amountsOf({ base, quote }: ClaimQuote['amounts']): string {
  return `${base.amountTokens} ${base.symbol} and ${quote.amountTokens} ${quote.symbol}`;
}

function linesOf(outcome: ClaimOfAll['outcome']): string[] {
  switch (outcome.status) {
    case 'paid':
      return [`paid: ${amountsOf(outcome.amounts)}`, `by ${outcome.signature}`];
    case 'declined':
      return [`dry run, nothing was signed: ${amountsOf(outcome.quote.amounts)}`];
    case 'nothing_to_claim':
      return ['nothing to claim', outcome.reason];
    case 'not_paid':
      return ['not paid, and it never will be; claim again', outcome.reason];
    case 'refused':
      return ['refused', outcome.reason];
    case 'failed':
      return ['failed; run the same command again', outcome.reason];
    case 'unknown':
      return ['not known yet; run the same command again', outcome.reason];
  }
}
