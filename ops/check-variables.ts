import Type, { type TSchema } from 'typebox';
import { ApiVariablesSchema } from '../config/api.ts';
import { readVariables, refuseProblems } from '../config/environment.ts';
import { WorkerVariablesSchema } from '../config/worker.ts';
import type { OpsIo } from './io.ts';

/** Of API and worker: each one that is set is read as they read it, and none is needed. */
const PROCESS_VARIABLES: Readonly<Record<string, TSchema>> = {
  ...ApiVariablesSchema.properties,
  ...WorkerVariablesSchema.properties,
};
const READ = Object.entries(PROCESS_VARIABLES).map(([name, schema]) => [name, Type.Optional(schema)]);
const READ_SCHEMA = Type.Object(Object.fromEntries(READ) as Record<string, TSchema>);

/** Lists of URLs that commands alone read. */
const URL_LISTS = ['API_URLS', 'WORKER_URLS'] as const;

/** @throws ConfigError that names each malformed variable, before a command begins */
export function checkVariables(env: OpsIo['env']): void {
  readVariables(READ_SCHEMA, env);
  const isUrl = (text: string) => /^https?:\/\//.test(text.trim()) && URL.canParse(text.trim());
  const wrong = URL_LISTS.filter((name) => env[name] && !env[name].split(',').every(isUrl));
  refuseProblems(wrong.map((name) => `${name} must be one or more http or https URLs, separated by commas`));
}
