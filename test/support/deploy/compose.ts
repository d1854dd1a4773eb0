import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { parse } from 'yaml';

const COMPOSE_FILE = join(import.meta.dirname, '../../../temporal-docker-compose.yml');

const ServiceSchema = Type.Object({
  image: Type.String(),
  entrypoint: Type.Optional(Type.Array(Type.String())),
  networks: Type.Optional(Type.Unknown()),
  command: Type.Optional(Type.Array(Type.String())),
  profiles: Type.Optional(Type.Array(Type.String())),
  build: Type.Optional(Type.Object({ target: Type.String() })),
  env_file: Type.Optional(Type.Array(Type.Object({ path: Type.String() }))),
  environment: Type.Optional(Type.Record(Type.String(), Type.String())),
  volumes: Type.Optional(Type.Array(Type.String())),
  deploy: Type.Optional(Type.Object({ replicas: Type.Integer() })),
});

/** A service of the set-up, as `docker compose` understands it where none of its variables is set. */
export type ComposeService = Static<typeof ServiceSchema>;

/** What is in the compose file, by name. */
export function composeServices(): Record<string, ComposeService> {
  const text = withDefaults(readFileSync(COMPOSE_FILE, 'utf8'));
  return Value.Parse(
    Type.Object({ services: Type.Record(Type.String(), ServiceSchema) }),
    parse(text, { merge: true, maxAliasCount: -1 }),
  ).services;
}

/** Puts the defaults of `${NAME:-default}` in their place, the inner ones of nested ones first. */
function withDefaults(text: string): string {
  const replaced = text.replaceAll(/\$\{[A-Z_]+:-([^${}]*)\}/g, '$1');
  return replaced === text ? text : withDefaults(replaced);
}
