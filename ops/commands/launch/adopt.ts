import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Db } from '../../../db/connect.ts';
import * as launches from '../../../db/launch/launches.ts';
import * as unknownWork from '../../../db/money/unknown-work.ts';
import * as auditLog from '../../../db/platform/audit-log.ts';
import { errorText } from '../../../domain/error-text.ts';
import { startLaunch } from '../../../workflows/launch/messages.ts';
import { carryOutRemedy } from '../../../workflows/money/messages.ts';
import { withDatabase } from '../../database.ts';
import { OpsError, type OpsIo } from '../../io.ts';
import { actorOption, type DecisionOptions, jsonOption, parsePositive } from '../../options.ts';
import { print } from '../../output.ts';
import { apiUrls } from '../../service-addresses.ts';
import { withTemporal } from '../../temporal.ts';

const HELP = `
After a restore the worker lists launches that the chain has and the database lacks (\`books show\`: launch-unknown). Those whose
terms are stored are taken in again from the chain and the store; nothing is signed or paid. A launch without stored terms
needs what its creator submitted: FILE is the body of the submit, or the file that \`slipway launch\` keeps.

Examples:
  npm run ops -- launches adopt --note "restored the backup of 02:00"
  npm run ops -- launches adopt --submission launch.json --note "sent by its creator"`;

interface AdoptOptions extends DecisionOptions {
  readonly note: string;
  readonly submission?: string;
  readonly wait: number;
}

export function launchesAdoptCommand(launchesOf: Command, io: OpsIo): void {
  launchesOf
    .command('adopt')
    .description('take in launches that a restored database forgot')
    .option('--submission <file>', 'repeat this submit (API_URLS, or the local stack)')
    .requiredOption('--note <text>', 'why, for the audit log')
    .addOption(actorOption())
    .option('--wait <seconds>', 'longest wait for the worker, a launch', parsePositive, 120)
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action((options: AdoptOptions) => (options.submission ? submitAgain(io, options) : adoptAll(io, options)));
}

/** A launch that was not taken in, and why. */
interface Left {
  readonly subject: string;
  readonly payment: string | null;
  readonly why: string;
}

async function adoptAll(io: OpsIo, options: AdoptOptions): Promise<void> {
  const { adopted, left } = await withDatabase(io, (db) =>
    withTemporal(io, (client) => adoptEach(io, options, db, client)),
  );
  const lines = left.map(({ subject, payment, why }) => `${subject} (payment ${payment ?? 'not found yet'}): ${why}`);
  print(io, options, { adopted, left }, [`${adopted.length} launches are taken in`, ...lines].join('\n'));
  if (left.length > 0) throw new OpsError(`${left.length} launches are still unknown`);
}

type TemporalClient = Parameters<typeof carryOutRemedy>[0];

async function adoptEach(io: OpsIo, options: AdoptOptions, db: Db, client: TemporalClient) {
  const [adopted, left]: [string[], Left[]] = [[], []];
  const request = { remedy: 'adopt', actor: options.actor ?? io.user(), note: options.note } as const;
  for (const { subject, quoteId, paymentSignature: payment } of await unknownWork.standing(db)) {
    if (quoteId === null) continue;
    try {
      const answer = await carryOutRemedy(client, randomUUID(), { ...request, subject }, options.wait);
      if (!answer.done) left.push({ subject, payment, why: answer.text });
      else {
        await startLaunch(client, quoteId);
        adopted.push(quoteId);
      }
    } catch (error) {
      left.push({ subject, payment, why: errorText(error) });
    }
  }
  return { adopted, left };
}

const SubmissionSchema = Type.Object({
  signedQuote: Type.String(),
  signedTransaction: Type.String(),
  logo: Type.Optional(Type.String()),
  wish: Type.Optional(Type.Object({ logo: Type.String() })),
});
const Submission = Compile(SubmissionSchema);

const Answer = Compile(
  Type.Object({
    data: Type.Optional(Type.Object({ status: Type.String(), paymentSignature: Type.String() })),
    error: Type.Optional(Type.Object({ message: Type.String() })),
    paymentSignature: Type.Optional(Type.String()),
  }),
);

async function submitAgain(io: OpsIo, options: AdoptOptions): Promise<void> {
  const url = apiUrls(io)?.[0];
  if (url === undefined) throw new OpsError('set API_URLS, or start the local stack: a submit goes to the API');
  const answer = await post(`${url}/api/public/v1/launches/submit`, await readSubmission(options.submission ?? ''));
  const signature = answer.data?.paymentSignature ?? answer.paymentSignature;
  const known = signature === undefined ? null : await noted(io, options, signature);
  // An ended run of before the restore would answer the submit and do nothing.
  if (known) await withTemporal(io, (client) => startLaunch(client, known));
  const told = answer.data?.status ?? answer.error?.message ?? 'nothing';
  if (!known) throw new OpsError(`the launch was not taken in: ${told}`);
  print(
    io,
    options,
    { quoteId: known, status: told },
    `launch ${known} is in the database; the submit answered: ${told}`,
  );
}

/** Audits the launch of this payment, if the database knows it now; its quote id, else null. */
function noted(io: OpsIo, { note, actor }: AdoptOptions, signature: string): Promise<string | null> {
  return withDatabase(io, async (db) => {
    const launch = await launches.bySignature(db, signature);
    if (!launch) return null;
    const subject = `launch/${launch.quoteId}`;
    await auditLog.append(db, { actor: actor ?? io.user(), action: 'launches.adopt', subject, note, details: {} });
    return launch.quoteId;
  });
}

async function readSubmission(file: string) {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new OpsError(`${file}: ${errorText(cause)}`, { cause });
  });
  const value = parsed(text);
  const logo = value && (value.logo ?? value.wish?.logo);
  if (!value || logo === undefined) throw new OpsError(`${file} has no signedQuote, signedTransaction and logo`);
  return { signedQuote: value.signedQuote, signedTransaction: value.signedTransaction, logo };
}

function parsed(text: string): Static<typeof SubmissionSchema> | null {
  try {
    const value: unknown = JSON.parse(text);
    return Submission.Check(value) ? value : null;
  } catch {
    return null;
  }
}

async function post(url: string, body: object) {
  try {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    const answer: unknown = await response.json();
    if (Answer.Check(answer)) return answer;
  } catch (cause) {
    throw new OpsError(`${url} cannot be reached: ${errorText(cause)}`, { cause });
  }
  throw new OpsError(`${url} answered something else than a submit`);
}
