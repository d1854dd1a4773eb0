import { Command } from 'commander';
import { errorText } from '../../domain/error-text.ts';

/** What `--help` says of a campaign beside its options. */
export interface CampaignHelp {
  /** Its script in package.json. */
  readonly name: string;
  readonly description: string;
  /** What follows the options: what it needs, what its exit status means, examples. */
  readonly more: string;
}

/** The command of a campaign, without options and action yet. Wrong usage ends the process with 2. */
export function campaignCommand({ name, description, more }: CampaignHelp): Command {
  return new Command(`npm run ${name} --`)
    .description(description)
    .addHelpText('after', more)
    .showHelpAfterError('(--help shows how)')
    .configureOutput({ outputError: (text, write) => write(text) })
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));
}

/** Does what the command line asks for. What keeps a campaign from its end is told on stderr, and the exit status is 1. */
export async function runCampaign(name: string, program: Command): Promise<void> {
  try {
    await program.parseAsync();
  } catch (error) {
    process.stderr.write(`${name}: ${errorText(error)}\n`);
    process.exitCode = 1;
  }
}
