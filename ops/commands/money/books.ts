import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import * as findings from '../../../db/money/findings.ts';
import { errorTextWithCauses } from '../../../domain/error-text.ts';
import { CLOSING_EFFECT, isClosingKind } from '../../../domain/money/closing.ts';
import { FINDING_MEANING, FINDING_REMEDY, type Remedy } from '../../../domain/money/finding.ts';
import { carryOutRemedy } from '../../../workflows/money/messages.ts';
import { withDatabase } from '../../database.ts';
import { OpsError, type OpsIo } from '../../io.ts';
import {
  assertConfirmed,
  type ConfirmedOptions,
  decisionOf,
  jsonOption,
  type OutputOptions,
  parsePositive,
  withConfirmation,
} from '../../options.ts';
import { print, type Row } from '../../output.ts';
import { withTemporal } from '../../temporal.ts';

interface RemedyOptions extends ConfirmedOptions {
  readonly purpose?: string;
  readonly wait: number;
}

const HELP = `
Every few minutes the worker compares its books with the chain, at finalized and by a quorum. \`show\` prints what differs; the
subject of a finding is what the other commands take. The worker carries them out, each only with a proof of its own; who did
it and why is audited. docs/runbook-money.md says what to do about each kind.`;

interface RemedyWords {
  readonly description: string;
  readonly help: string;
  /** Says what it does to a subject. Undefined for a subject that it does not take. */
  readonly effectOn: (subject: string) => string | undefined;
}

const REMEDIES: Readonly<Record<Remedy, RemedyWords>> = {
  adopt: {
    effectOn: () => 'take into the books what the chain has of it',
    description: 'take into the books what the chain has',
    help: 'SUBJECT is lane/N, launch/QUOTE_ID that is unknown (`launches adopt` takes all of them), transaction/SIGNATURE that was taken for dead or, with --purpose, step/LANE/NUMBER and bundle/SIGNATURE.',
  },
  bury: {
    effectOn: () => 'end it in the books, once it is proven that it can no longer land',
    description: 'end a transaction that can no longer land',
    help: 'SUBJECT is transaction/SIGNATURE. The worker proves its death first.',
  },
  correct: {
    effectOn: () => 'take out of the books what the chain does not confirm of it, once that is proven',
    description: 'take back what the chain does not confirm',
    help: 'SUBJECT is lane/N, transaction/SIGNATURE, launch/QUOTE_ID, pot/MINT or supply/MINT.',
  },
  close: {
    effectOn: (subject) => {
      const [kind = ''] = subject.split('/');
      return isClosingKind(kind) ? CLOSING_EFFECT[kind] : undefined;
    },
    description: 'end work that can never continue, without the rest',
    help: 'SUBJECT is reward/ROUND_ID, fee-sweep/MINT/NUMBER, buyback/ID, restock/ID, airdrop/QUOTE_ID, or claim/SIGNATURE and launch/QUOTE_ID that are unknown.',
  },
};

export function booksCommand(program: Command, io: OpsIo): void {
  const command = program
    .command('books')
    .description('differences between the books and the chain')
    .addHelpText('after', HELP);
  command
    .command('show', { isDefault: true })
    .description('show what differs, as of the last comparison')
    .addOption(jsonOption())
    .action((options: OutputOptions) => show(io, options));
  remedyCommand(command, io, 'adopt').option('--purpose <purpose>', 'what an unexplained movement was made for');
  remedyCommand(command, io, 'bury');
  remedyCommand(command, io, 'correct');
  remedyCommand(command, io, 'close');
}

function remedyCommand(books: Command, io: OpsIo, remedy: Remedy): Command {
  const { description, help } = REMEDIES[remedy];
  return withConfirmation(books.command(remedy))
    .description(description)
    .argument('<subject>', 'what a finding names, as kind/id')
    .option('--wait <seconds>', 'longest wait for the worker', parsePositive, 120)
    .addHelpText('after', `\n${help}`)
    .action((subject: string, options: RemedyOptions) => carryOut(io, remedy, subject, options));
}

function show(io: OpsIo, options: OutputOptions): Promise<void> {
  return withDatabase(io, async (db) => {
    const [found, checkedAt] = [await findings.all(db), await findings.lastCheckAt(db)];
    const rows: Row[] = found.map(({ kind, subject, books, chain, firstSeenAt }) => {
      return {
        kind,
        subject,
        books,
        chain,
        since: firstSeenAt,
        meaning: FINDING_MEANING[kind],
        helps: FINDING_REMEDY[kind],
      };
    });
    const when = checkedAt?.toISOString() ?? 'never';
    print(io, options, { checkedAt, findings: found }, rows.length === 0 ? `nothing differs; compared: ${when}` : rows);
  });
}

async function carryOut(io: OpsIo, remedy: Remedy, subject: string, options: RemedyOptions): Promise<void> {
  assertConfirmed(options, `would ${await effectOf(io, remedy, subject)}`);
  const { note, purpose, wait } = options;
  const request = { remedy, subject, ...decisionOf(io, options), note, ...(purpose !== undefined && { purpose }) };
  const answer = await withTemporal(io, async (client) => {
    try {
      return await carryOutRemedy(client, randomUUID(), request, wait);
    } catch (error) {
      throw new OpsError(`${remedy} ${subject} was not carried out: ${errorTextWithCauses(error)}`, { cause: error });
    }
  });
  if (!answer.done) throw new OpsError(`${remedy} ${subject} was refused: ${answer.text}`);
  print(io, options, { remedy, subject, ...answer }, answer.text);
}

/** Says what the remedy does to the subject, and what the last comparison found of it. */
async function effectOf(io: OpsIo, remedy: Remedy, subject: string): Promise<string> {
  const { effectOn, help } = REMEDIES[remedy];
  const effect = effectOn(subject);
  if (effect === undefined) throw new OpsError(`${remedy} does not take ${subject}: ${help}`);
  const found = await withDatabase(io, findings.all);
  const own = found.filter((one) => one.subject === subject);
  const told = own.map(({ kind, books, chain }) => `; ${kind}: the books say ${books}, the chain says ${chain}`);
  const unfound = '; the last comparison found nothing of it';
  return `${effect} (${subject}${told.length === 0 ? unfound : told.join('')})`;
}
