import type { Command } from 'commander';
import * as auditLog from '../../../db/platform/audit-log.ts';
import { transaction } from '../../../db/connect.ts';
import * as launchAddresses from '../../../db/launch/launch-addresses.ts';
import { withDatabase } from '../../database.ts';
import type { OpsIo } from '../../io.ts';
import { assertConfirmed, type ConfirmedOptions, decisionOf, withConfirmation } from '../../options.ts';
import { print } from '../../output.ts';

const HELP = `
Do this after restoring a database, before the API starts: what was free when the backup was made may have been taken
since, and must not be handed to a second creator. The worker derives new ones within seconds.

Example:
  npm run ops -- addresses discard-free --note "restored the backup of 02:00" --yes`;

export function addressesCommand(program: Command, io: OpsIo): void {
  const command = program.command('addresses').description('the launch addresses that the worker keeps ready');
  withConfirmation(command.command('discard-free'))
    .description('remove addresses without a quote; needed after a restore')
    .addHelpText('after', HELP)
    .action((options: ConfirmedOptions) => discardFree(io, options));
}

function discardFree(io: OpsIo, options: ConfirmedOptions): Promise<void> {
  return withDatabase(io, async (db) => {
    const discarded = await transaction(db, async (tx) => {
      const count = await launchAddresses.discardFree(tx, []);
      assertConfirmed(options, `would remove ${count} free launch addresses, of which the worker derives new ones`);
      const entry = { ...decisionOf(io, options), action: 'addresses.discard', subject: 'addresses/free' };
      await auditLog.append(tx, { ...entry, details: { count } });
      return count;
    });
    print(io, options, { discarded }, `${discarded} free launch addresses are removed`);
  });
}
