import { randomBytes, randomUUID } from 'node:crypto';
import { Argument, type Command } from 'commander';
import { type Db, transaction } from '../../../db/connect.ts';
import * as endpoints from '../../../db/events/webhook-endpoints.ts';
import * as webhookKeys from '../../../db/events/webhook-keys.ts';
import { webhookLags } from '../../../db/events/webhook-lag.ts';
import * as auditLog from '../../../db/platform/audit-log.ts';
import { toCursor } from '../../../domain/events/event-cursor.ts';
import { testWebhook } from '../../../workflows/events/messages.ts';
import { withDatabase } from '../../database.ts';
import { OpsError, type OpsIo } from '../../io.ts';
import {
  assertConfirmed,
  type ConfirmedOptions,
  type DecisionOptions,
  decisionOf,
  jsonOption,
  type OutputOptions,
  withConfirmation,
  withDecisionOptions,
} from '../../options.ts';
import { duration, facts, print } from '../../output.ts';
import { withTemporal } from '../../temporal.ts';
import { filterIn, type FilterOptions, filterText, placeIn, webhookUrl } from './webhook-input.ts';

interface AddOptions extends FilterOptions, DecisionOptions {
  readonly from: string;
}

const HELP = `
The receiver verifies each request by Standard Webhooks (https://www.standardwebhooks.com): v1 with its secret, which
is shown once, or v1a with the platform's public key. Its cursor is the message's id, the same at each try.`;

const idArgument = () => new Argument('<id>', 'endpoint, as `webhooks list` shows it');

export function webhooksCommand(program: Command, io: OpsIo): void {
  const command = program
    .command('webhooks')
    .description('receivers that get events by HTTP')
    .addHelpText('after', HELP);
  command
    .command('list', { isDefault: true })
    .description('show the endpoints, how far behind each is, and the public keys of signatures')
    .addOption(jsonOption())
    .action((options: OutputOptions) => list(io, options));
  withDecisionOptions(command.command('add').description('deliver events to a URL from now on; prints the secret once'))
    .argument('<url>', 'https URL without user name and password')
    .option('--types <types>', 'only events of these types, separated by commas')
    .option('--mint <mint>', 'only events of this token or pair')
    .option('--wallet <wallet>', 'only events about this wallet')
    .option('--creator <creator>', 'only events of tokens of this creator')
    .option('--from <place>', 'where to begin: oldest, now, a cursor, or a time such as 2026-11-21T15:00:00Z', 'now')
    .action((url: string, options: AddOptions) => add(io, url, options));
  withDecisionOptions(
    command.command('pause').description('deliver nothing until `resume`; its events are kept as all are'),
  )
    .addArgument(idArgument())
    .action((id: string, options: DecisionOptions) =>
      decide(io, 'pause', id, options, (db) => endpoints.pause(db, id, `by ${decisionOf(io, options).actor}`)),
    );
  withDecisionOptions(command.command('resume').description('deliver again from its cursor, at once'))
    .addArgument(idArgument())
    .action((id: string, options: DecisionOptions) =>
      decide(io, 'resume', id, options, (db) => endpoints.resume(db, id)),
    );
  withDecisionOptions(
    command.command('replay').description('deliver again from a place; `--from now` skips what waits'),
  )
    .addArgument(idArgument())
    .requiredOption('--from <place>', 'oldest, now, a cursor, or a time such as 2026-11-21T15:00:00Z')
    .action((id: string, options: DecisionOptions & { readonly from: string }) =>
      decide(io, 'replay', id, options, async (db) => endpoints.replay(db, id, await placeIn(db, options.from))),
    );
  withConfirmation(command.command('remove').description('forget an endpoint, its secret and its place in the events'))
    .addArgument(idArgument())
    .action((id: string, options: ConfirmedOptions) =>
      decide(io, 'remove', id, options, async (db) => {
        const isRemoved = await endpoints.remove(db, id);
        if (isRemoved) assertConfirmed(options, `would forget ${id}, its secret and its place in the events`);
        return isRemoved;
      }),
    );
  command
    .command('test')
    .description('send a message of type webhook.test now, and show the response')
    .addArgument(idArgument())
    .addOption(jsonOption())
    .action((id: string, options: OutputOptions) => test(io, id, options));
}

function list(io: OpsIo, options: OutputOptions): Promise<void> {
  return withDatabase(io, async (db) => {
    const [lags, keys] = await Promise.all([webhookLags(db), webhookKeys.list(db)]);
    const shown = lags.map(({ endpoint: { place, ...endpoint }, oldest }) => ({
      ...endpoint,
      cursor: toCursor(place),
      oldestUndelivered: oldest,
    }));
    const rows = lags.map(({ endpoint, oldest }) => ({
      id: endpoint.id,
      url: endpoint.url,
      events: filterText(endpoint.filter),
      state: stateOf(endpoint),
      behind: oldest === null ? '-' : duration(Date.now() - oldest.getTime()),
      'last failure': endpoint.lastFailure,
    }));
    if (options.json) return print(io, options, { endpoints: shown, publicKeys: keys }, '');
    print(io, options, {}, rows);
    for (const { publicKey } of keys) print(io, options, {}, `v1a public key: ${publicKey}`);
  });
}

function stateOf({ pausedBecause, failures, nextTryAt }: endpoints.WebhookEndpoint): string {
  if (pausedBecause !== null) return `paused: ${pausedBecause}`;
  return nextTryAt === null ? 'active' : `${failures} failed, next try ${nextTryAt.toISOString()}`;
}

function add(io: OpsIo, text: string, { from, ...options }: AddOptions): Promise<void> {
  const url = webhookUrl(text);
  const filter = filterIn(options);
  return withDatabase(io, async (db) => {
    const id = `wh_${randomBytes(8).toString('hex')}`;
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const place = await placeIn(db, from);
    await transaction(db, async (tx) => {
      await endpoints.add(tx, { id, url, secret, filter, place });
      await auditLog.append(tx, { ...decisionOf(io, options), action: 'webhook.add', subject: `webhook/${id}` });
    });
    const keys = await webhookKeys.list(db);
    const publicKeys = keys.map(({ publicKey }) => publicKey);
    const shown = { id, url, events: filterText(filter), secret, 'v1a public key': publicKeys.join(' ') || null };
    print(io, options, { id, url, filter, secret, publicKeys }, facts(shown));
  });
}

function decide(
  io: OpsIo,
  what: 'pause' | 'resume' | 'replay' | 'remove',
  id: string,
  options: DecisionOptions,
  change: (db: Db) => Promise<boolean>,
): Promise<void> {
  return withDatabase(io, async (db) => {
    await transaction(db, async (tx) => {
      if (!(await change(tx))) throw unknown(id);
      await auditLog.append(tx, { ...decisionOf(io, options), action: `webhook.${what}`, subject: `webhook/${id}` });
    });
    print(io, options, { id, done: what }, `${what} of ${id}: done`);
  });
}

function test(io: OpsIo, id: string, options: OutputOptions): Promise<void> {
  return withDatabase(io, async (db) => {
    if ((await endpoints.byId(db, id)) === null) throw unknown(id);
    const tested = await withTemporal(io, (client) => testWebhook(client, id, randomUUID()));
    const { status, failure, ms } = tested;
    const response = status === null ? 'no response' : `status ${status} after ${ms} ms`;
    print(io, options, tested, failure === null ? response : `${response}: ${failure}`);
    if (failure !== null) throw new OpsError(`${id} did not take the test message`);
  });
}

function unknown(id: string): OpsError {
  return new OpsError(`there is no webhook endpoint ${id}; \`webhooks list\` shows them`);
}
