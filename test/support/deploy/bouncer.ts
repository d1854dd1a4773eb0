import { onPath } from '../on-path.ts';

/** Where PgBouncer lies; undefined where it is not on PATH. */
export const PGBOUNCER = onPath('pgbouncer');

/** Of the role behind a bouncer, as docs/deploy.md asks: the bouncer drops what each process asks for. */
export const LIMITS = { statement_timeout: '15s', lock_timeout: '5s', idle_in_transaction_session_timeout: '30s' };

/** A PgBouncer in front of one database. */
export interface BouncerOptions {
  readonly databaseUrl: string;
  readonly port: number;
  /** Connections that all clients share. */
  readonly poolSize: number;
}

/** As docs/deploy.md says. It does not run as root: started by it, it becomes nobody. */
export function bouncerSettings({ databaseUrl, port, poolSize }: BouncerOptions): string {
  const { hostname, port: behind, pathname, username, password } = new URL(databaseUrl);
  const database = pathname.slice(1);
  return `
[databases]
${database} = host=${hostname} port=${behind} dbname=${database} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 200
ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout
${process.getuid?.() === 0 ? 'user = nobody' : ''}
`;
}

/** The database's URL through the bouncer. */
export function throughBouncer(databaseUrl: string, port: number): string {
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  url.password = '';
  return url.href;
}
