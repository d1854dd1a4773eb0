import { type Command, Option } from 'commander';
import * as auditLog from '../../../db/platform/audit-log.ts';
import { withDatabase } from '../../database.ts';
import type { OpsIo } from '../../io.ts';
import {
  assertConfirmed,
  type ConfirmedOptions,
  decisionOf,
  jsonOption,
  type OutputOptions,
  withConfirmation,
} from '../../options.ts';
import { facts, print } from '../../output.ts';
import { makeAllLanes, readLaneReport } from './lane-report.ts';

interface MakeOptions extends ConfirmedOptions {
  readonly seed: string;
  readonly restored?: boolean;
  readonly formerTreasury?: string;
}

const HELP = `
Every movement of money steps a lane: a mint of the platform's whose supply says which movement happened last. \`make\` makes
the 132 lanes, once, before the first worker starts. It signs with the platform wallet (PLATFORM_SIGNER, PLATFORM_SECRET_KEY),
which pays their rent, 0.47 SOL; four of them belong to the treasury (TREASURY_SIGNER, TREASURY_SECRET_KEY). Cut off, it goes on
where it stopped. Lanes that were made for a wrong seed or treasury and moved no money are made right by the same command.`;

const MAKE_EXAMPLES = `
Examples:
  npm run ops -- lanes make --seed seed-1 --note "set up" --yes
  npm run ops -- lanes make --seed seed-1 --former-treasury file:/etc/slipway/wrong-treasury.json --note "wrong treasury" --yes`;

export function lanesCommand(program: Command, io: OpsIo): void {
  const command = program
    .command('lanes')
    .description('the registers on the chain by which money moves once')
    .addHelpText('after', HELP);
  command
    .command('show', { isDefault: true })
    .description('where the lanes stand, in the database and on the chain')
    .addOption(jsonOption())
    .action((options: OutputOptions) => show(io, options));
  withConfirmation(command.command('make'))
    .description('make the lanes and write them down')
    .addOption(
      new Option(
        '--seed <id>',
        'launch seed that their secret follows from: the first of LAUNCH_SEEDS',
      ).makeOptionMandatory(),
    )
    .option('--restored', 'the database is older than the lanes: take them over as they are on the chain')
    .option(
      '--former-treasury <signer>',
      'file:/path or aws-kms:key of the treasury that lanes were made for by mistake',
    )
    .addHelpText('after', MAKE_EXAMPLES)
    .action((options: MakeOptions) => make(io, options));
}

async function show(io: OpsIo, options: OutputOptions): Promise<void> {
  const report = await withDatabase(io, (db) => readLaneReport(io, db));
  print(io, options, report, facts({ ...report }));
}

async function make(io: OpsIo, options: MakeOptions): Promise<void> {
  const { seed, restored = false, formerTreasury } = options;
  const made = await withDatabase(io, async (db) => {
    const confirm = (would: string) => assertConfirmed(options, would);
    const report = await makeAllLanes(io, db, { seedId: seed, isRestored: restored, formerTreasury, confirm });
    const entry = { ...decisionOf(io, options), action: 'lanes.make', subject: `seed/${seed}` };
    await auditLog.append(db, { ...entry, details: { ...report } });
    return report;
  });
  print(io, options, made, facts({ ...made }));
}
