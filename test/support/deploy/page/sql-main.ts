// `DATABASE_URL=… sql-main.ts STATEMENT` runs one as the superuser of the machine's PostgreSQL and prints its rows.
import pg from 'pg';

const client = new pg.Client({ connectionString: process.env['DATABASE_URL'] });
await client.connect();
try {
  const { rows } = await client.query(process.argv[2] ?? '');
  console.log(JSON.stringify(rows));
} finally {
  await client.end();
}
