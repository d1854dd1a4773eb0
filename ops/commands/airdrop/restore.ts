import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { openRecipients } from '../../../chain/airdrop/recipient-hash.ts';
import * as auditLog from '../../../db/platform/audit-log.ts';
import { transaction } from '../../../db/connect.ts';
import * as recipientSets from '../../../db/airdrop/recipient-sets.ts';
import type { RecipientSet } from '../../../domain/airdrop/recipient-set.ts';
import { errorText } from '../../../domain/error-text.ts';
import { withDatabase } from '../../database.ts';
import { OpsError, type OpsIo } from '../../io.ts';
import { actorOption, type DecisionOptions, decisionOf, jsonOption, noteOption } from '../../options.ts';
import { print } from '../../output.ts';

const HELP = `
For a database that was restored from before a quote: its recipients lie in the permanent store. The file is taken only as what it
is: the hash of its bytes is what a quote was sealed with.

Example:
  curl -o recipients.json https://arweave.net/…
  npm run ops -- airdrops restore-recipients recipients.json --note "database restored on the 3rd"`;

export function airdropsRestoreCommand(airdrops: Command, io: OpsIo): void {
  airdrops
    .command('restore-recipients')
    .description('put the recipients of a quote back into the database')
    .argument('<file>', 'the document, as the permanent store has it')
    .addOption(actorOption())
    .addOption(noteOption())
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action((file: string, options: DecisionOptions) => restore(io, file, options));
}

async function restore(io: OpsIo, file: string, options: DecisionOptions): Promise<void> {
  const { hash, document, set } = await readDocument(file);
  const { actor, note } = decisionOf(io, options);
  await withDatabase(io, (db) =>
    transaction(db, async (tx) => {
      await recipientSets.keep(tx, hash, document);
      await auditLog.append(tx, {
        actor,
        action: 'recipients.restore',
        subject: `recipients/${hash}`,
        note,
        details: {},
      });
    }),
  );
  const { tier, quoteMint, slot, recipients } = set;
  const told = { hash, tier, quoteMint, slot, recipients: recipients.length };
  print(io, options, told, `${recipients.length} recipients of ${tier} are in the database as ${hash}`);
}

async function readDocument(file: string): Promise<{ hash: string; document: Buffer; set: RecipientSet }> {
  try {
    const document = await readFile(file);
    const hash = createHash('sha256').update(document).digest('hex');
    return { hash, document, set: openRecipients(hash, document) };
  } catch (cause) {
    throw new OpsError(`${file}: ${errorText(cause)}`, { cause });
  }
}
