import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { type Db, transaction } from '../../../db/connect.ts';
import * as auditLog from '../../../db/platform/audit-log.ts';
import * as documents from '../../../db/proof/documents.ts';
import type { PackedDocument } from '../../../db/proof/documents.ts';
import { packDocument } from '../../../db/proof/pack-document.ts';
import * as rewardTransactions from '../../../db/reward/reward-transactions.ts';
import { errorText } from '../../../domain/error-text.ts';
import { withDatabase } from '../../database.ts';
import { OpsError, type OpsIo } from '../../io.ts';
import { actorOption, type DecisionOptions, decisionOf, jsonOption, noteOption } from '../../options.ts';
import { print } from '../../output.ts';

const HELP = `
For a database that was restored from before a round was sealed. Everyone who read {SITE_URL}/documents/{root} has the document.
A file is taken only if a seal that the database knows names its root. The hourly run then pays by it.

Example:
  npm run ops -- rewards restore-plan round-41.txt --note "database restored on the 3rd"`;

export function rewardsRestorePlanCommand(rewards: Command, io: OpsIo): void {
  rewards
    .command('restore-plan')
    .description('put the sealed document of a round back into the database')
    .argument('<file>', 'the document, as it was served')
    .addOption(actorOption())
    .addOption(noteOption())
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action((file: string, options: DecisionOptions) => restorePlan(io, file, options));
}

async function restorePlan(io: OpsIo, file: string, options: DecisionOptions): Promise<void> {
  const document = await packDocument(await linesIn(file));
  const { root, rowCount } = document;
  const { actor, note } = decisionOf(io, options);
  const roundId = await withDatabase(io, (db) =>
    transaction(db, async (tx) => {
      const sealed = await storeSealed(tx, document);
      await auditLog.append(tx, {
        actor,
        action: 'reward.restore-plan',
        subject: `reward/${sealed}`,
        note,
        details: { root },
      });
      return sealed;
    }),
  );
  print(io, options, { roundId, root, rowCount }, `the plan of reward round ${roundId}, ${root}, is in the database`);
}

async function storeSealed(tx: Db, document: PackedDocument): Promise<string> {
  const sealed = await rewardTransactions.roundSealedBy(tx, document.root);
  if (sealed === null)
    throw new OpsError(`no seal that the database knows names ${document.root}, the root of this file`);
  await documents.store(tx, document);
  return sealed;
}

async function linesIn(file: string): Promise<string[]> {
  try {
    return (await readFile(file, 'utf8')).split('\n');
  } catch (cause) {
    throw new OpsError(`${file}: ${errorText(cause)}`, { cause });
  }
}
