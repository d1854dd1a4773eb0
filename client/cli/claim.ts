import type { Command } from 'commander';
import { claim, type ClaimOutcome, type ClaimProgress, type ClaimQuote } from '../index.ts';
import { apiOf, exitCodeOf, signerOf, signingCommand, type SigningOptions } from './common.ts';
import { fileStore } from './file-store.ts';
import { print, say } from './say.ts';

/** `slipway claim` */
export function claimCommand(): Command {
  return signingCommand(
    'claim',
    'Claim the creator fees of a token: check the claim, sign it once, and wait for the outcome',
  )
    .argument('<mint>', 'the launched token')
    .action(run);
}

async function run(mint: string, options: SigningOptions): Promise<void> {
  const outcome = await claim({
    api: apiOf(options),
    signer: signerOf(options),
    mint,
    onProgress: tell,
    ...(options.state !== undefined && { store: fileStore(options.state) }),
    ...(options.dryRun && { approve: () => false }),
  });
  print(outcome, options.json === true, linesOf(outcome));
  process.exitCode = exitCodeOf(
    outcome,
    options.dryRun ? ['declined', 'nothing_to_claim'] : ['paid', 'nothing_to_claim'],
  );
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

function linesOf(outcome: ClaimOutcome): string[] {
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
    case 'unknown':
      return ['not known yet; run the same command again', outcome.reason];
  }
}
