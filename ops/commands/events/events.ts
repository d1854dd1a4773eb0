import type { Command } from 'commander';
import { transaction } from '../../../db/connect.ts';
import * as eventDays from '../../../db/events/event-days.ts';
import * as auditLog from '../../../db/platform/audit-log.ts';
import { withDatabase } from '../../database.ts';
import type { OpsIo } from '../../io.ts';
import { assertConfirmed, type ConfirmedOptions, decisionOf, withConfirmation } from '../../options.ts';
import { print } from '../../output.ts';

const HELP = `
Do this after restoring a database or a failover that lost commits, before the API starts: readers may have seen events
that the database no longer has, and would miss what takes their place. Each is told to begin again.

Example:
  npm run ops -- events renew --note "restored the backup of 02:00" --yes`;

export function eventsCommand(program: Command, io: OpsIo): void {
  const command = program.command('events').description('the log of events that clients follow');
  withConfirmation(command.command('renew'))
    .description('end all cursors; needed after a restore')
    .addHelpText('after', HELP)
    .action((options: ConfirmedOptions) => renew(io, options));
}

async function renew(io: OpsIo, options: ConfirmedOptions): Promise<void> {
  assertConfirmed(options, 'would end the cursor of every reader of events: each begins again at the oldest event');
  await withDatabase(io, async (db) => {
    const generation = await transaction(db, async (tx) => {
      const renewed = await eventDays.renew(tx);
      const entry = { ...decisionOf(io, options), action: 'events.renew', subject: 'events/log' };
      await auditLog.append(tx, { ...entry, details: { generation: renewed } });
      return renewed;
    });
    print(
      io,
      options,
      { generation },
      `the log of events is renewed: readers of older cursors get 404 with the oldest one and begin again`,
    );
  });
}
