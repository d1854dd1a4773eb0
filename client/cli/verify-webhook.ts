import { readFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { verifyWebhook } from '../index.ts';
import { type Check, createChecks, Difference, exitCodeOf, NotProvable, type Outcome } from '../verify/check.ts';
import { print } from './say.ts';
import { checking, linesOf } from './verifying.ts';

interface WebhookOptions {
  readonly publicKey: readonly string[];
  readonly received?: Date;
  readonly json?: true;
}

export function webhookCommand(): Command {
  return checking('webhook', 'Check a received webhook: that the platform signed it (v1a), and when')
    .argument('<file>', 'the request as received: its header lines, an empty line, and its body byte for byte')
    .requiredOption('--public-key <keys...>', 'public keys of the platform, whpk_…: any of them may have signed')
    .option('--received <time>', 'when it was received, as 2026-11-21T15:00:00Z (default: now)', timeOf)
    .action(async (file: string, { publicKey, received = new Date(), json }: WebhookOptions) => {
      const checks = await checkWebhook(await readFile(file), { file, publicKeys: publicKey, received });
      const exitCode = exitCodeOf(checks);
      print({ exitCode, checks }, json === true, checks.flatMap(linesOf));
      process.exitCode = exitCode;
    });
}

function timeOf(text: string): Date {
  const time = new Date(text);
  if (Number.isFinite(time.getTime())) return time;
  throw new InvalidArgumentError(`"${text}" is no time`);
}

interface Question {
  readonly file: string;
  readonly publicKeys: readonly string[];
  readonly received: Date;
}

async function checkWebhook(request: Uint8Array, question: Question): Promise<readonly Check[]> {
  const checks = createChecks();
  await checks.run('signature', () => checkSignature(request, question));
  return checks.done;
}

function checkSignature(request: Uint8Array, { file, publicKeys, received: now }: Question): Outcome<null> {
  const [head = '', body] = halvesOf(textOf(request, file));
  if (body === undefined) throw new NotProvable(`${file} has no empty line between header lines and body`);
  const headers = signedHeaders(head, file);
  const found = { value: headers['webhook-signature'], from: file };
  try {
    const cursor = verifyWebhook({ headers, body, publicKeys, now });
    return { how: `event ${cursor}, signed at ${timeIn(headers['webhook-timestamp'])}`, value: null };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new Difference(error.message, { value: publicKeys.join(' or '), from: '--public-key' }, found);
  }
}

function textOf(request: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(request);
  } catch (cause) {
    throw new NotProvable(`${file} is not UTF-8 text`, cause);
  }
}

function halvesOf(text: string): [string, string?] {
  const end = /\r?\n\r?\n/.exec(text);
  return end ? [text.slice(0, end.index), text.slice(end.index + end[0].length)] : [text];
}

const SIGNED_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/** @throws NotProvable for a file without one of them, or with two of one name */
function signedHeaders(head: string, file: string): Record<(typeof SIGNED_HEADERS)[number], string> {
  const lines = headersIn(head);
  const valueOf = (name: string): string => {
    const [value = '', ...others] = lines.filter(([header]) => header === name).map(([, text]) => text);
    if (value === '') throw new NotProvable(`${file} has no header ${name}`);
    if (others.length > 0) throw new NotProvable(`${file} has ${others.length + 1} headers ${name}`);
    return value;
  };
  const [id, timestamp, signature] = SIGNED_HEADERS;
  return { [id]: valueOf(id), [timestamp]: valueOf(timestamp), [signature]: valueOf(signature) };
}

/** Names in lower case, with values. A request line has no colon behind a name. */
function headersIn(head: string): readonly (readonly [string, string])[] {
  return head.split(/\r?\n/).flatMap((line) => {
    const [, name, value] = /^([\w-]+):[ \t]*(.*)$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value.trim()] as const];
  });
}

function timeIn(seconds: string): string {
  return new Date(Number(seconds) * 1_000).toISOString();
}
