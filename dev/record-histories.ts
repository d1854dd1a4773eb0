import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import Type from 'typebox';
import { Parse } from 'typebox/value';
import { errorText } from '../domain/error-text.ts';
import { historyToJson } from './history-json.ts';

const ROOT = join(import.meta.dirname, '..');
const HISTORIES = join(ROOT, 'test/fixtures/histories');

const USAGE = `usage: node_modules/.bin/node dev/record-histories.ts [--address HOST:PORT] [--namespace NAME] [--name FILE] WORKFLOW_ID…

Writes the histories of these workflows to test/fixtures/histories/<workflow type>/<workflow id>.json, where the replay
test finds them. Without --address the running stack of .data/stack.json is asked. --name names the file of a single
workflow; say what happened in it ("dropped-then-resumed").`;

const StackSchema = Type.Object({ temporalAddress: Type.String(), temporalNamespace: Type.String() });

const HistorySchema = Type.Object({ events: Type.Array(Type.Unknown()) });

const FileName = Type.String({ pattern: '^[A-Za-z0-9_-]{1,100}$' });

function runningStack(): { address: string; namespace: string } {
  const stack = Parse(StackSchema, JSON.parse(readFileSync(join(ROOT, '.data/stack.json'), 'utf8')));
  return { address: stack.temporalAddress, namespace: stack.temporalNamespace };
}

/** One line an event, so that a difference shows which events changed. */
function eventPerLine(history: unknown): string {
  const { events } = Parse(HistorySchema, history);
  return `{"events": [\n${events.map((event) => JSON.stringify(event)).join(',\n')}\n]}`;
}

/** Removes host names and paths of the recording machine; replay ignores them. */
function withoutTraces(json: string): string {
  return `${json
    .replaceAll(/"identity": ?"[^"]*"/g, '"identity": "worker"')
    .replaceAll(/"\d+@[^"]*"/g, '"worker-sticky"')
    .replaceAll(/"stackTrace": ?"[^"]*"/g, '"stackTrace": ""')
    .replaceAll(`${ROOT}/`, '')}\n`;
}

async function record(client: Client, workflowId: string, name: string): Promise<string> {
  const handle = client.workflow.getHandle(workflowId);
  const [{ type }, history] = await Promise.all([handle.describe(), handle.fetchHistory()]);
  const folder = join(HISTORIES, Parse(FileName, type));
  const file = join(folder, `${Parse(FileName, name)}.json`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, withoutTraces(eventPerLine(historyToJson(history))));
  return `${file} (${history.events?.length ?? 0} events)`;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { address: { type: 'string' }, namespace: { type: 'string' }, name: { type: 'string' } },
  });
  if (positionals.length === 0 || (values.name !== undefined && positionals.length > 1)) throw new Error(USAGE);
  const stack = values.address === undefined ? runningStack() : { address: values.address, namespace: 'default' };
  const connection = await Connection.connect({ address: stack.address });
  try {
    const client = new Client({ connection, namespace: values.namespace ?? stack.namespace });
    for (const id of positionals) console.log(await record(client, id, values.name ?? id));
  } finally {
    await connection.close();
  }
}

try {
  await main();
} catch (error) {
  console.error(errorText(error));
  process.exitCode = 1;
}
