import type { Command } from 'commander';
import * as auditLog from '../../../db/platform/audit-log.ts';
import { transaction } from '../../../db/connect.ts';
import * as launchAddresses from '../../../db/launch/launch-addresses.ts';
import { withDatabase } from '../../database.ts';
import type { OpsIo } from '../../io.ts';
import { actorOption, type DecisionOptions, decisionOf, jsonOption, noteOption } from '../../options.ts';
import { print } from '../../output.ts';

const HELP = `
Do this after restoring a database, before the API starts: what was free when the backup was made may have been taken
since, and must not be handed to a second creator. The worker derives new ones within seconds.

Example:
  npm run ops -- addresses discard-free --note "restored the backup of 02:00"`;

export function addressesCommand(program: Command, io: OpsIo): void {
  const command = program.command('addresses').description('the launch addresses that the worker keeps ready');
  command
    .command('discard-free')
    .description('remove addresses without a quote; needed after a restore')
    .addOption(actorOption())
    .addOption(noteOption())
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action((options: DecisionOptions) => discardFree(io, options));
}

function discardFree(io: OpsIo, options: DecisionOptions): Promise<void> {
  return withDatabase(io, async (db) => {
    const discarded = await transaction(db, async (tx) => {
      const count = await launchAddresses.discardFree(tx, []);
      const entry = { ...decisionOf(io, options), action: 'addresses.discard', subject: 'addresses/free' };
      await auditLog.append(tx, { ...entry, details: { count } });
      return count;
    });
    print(io, options, { discarded }, `${discarded} free launch addresses are removed`);
  });
}
