const DOCKER =
  'needs the daemon of Docker; test/deploy/set-up.campaign.test.ts runs what compose starts, by its own commands';
const CLUSTER = 'needs a cluster; test/deploy/image.test.ts and keys.test.ts check the manifests';
const IMAGES = 'needs Docker or buildah, and builds for minutes';
const PACKAGES = 'changes the machine that runs the test';
const DRILL = 'takes minutes; test/campaigns/drill/drill.test.ts runs the drill';
const STANDBY =
  'needs a second machine and the client programs of its PostgreSQL; the drill runs the statements (test/campaigns/drill/standby.ts)';
const VERSIONS = 'needs workers with release names; test/campaigns/drill/drill.test.ts moves two releases so';
const NAME = 'a name of a command that runs elsewhere on the page, or with something left out';
const ALIAS = 'a name of `npm run` for what the image runs as `slipway`';

/** Commands of docs/deploy.md that no test of the page can run, each with the reason. */
export const NOT_RUN: Readonly<Record<string, string>> = {
  'docker compose -f temporal-docker-compose.yml --profile local up -d --build --wait': DOCKER,
  'open http://127.0.0.1:8080 http://127.0.0.1:3000 http://127.0.0.1:8233': 'needs a desktop with a browser',
  'npm run demo -- --url http://127.0.0.1:8080':
    'test/deploy/set-up.campaign.test.ts runs the demo against such a set-up',
  'docker compose … --profile local down -v': DOCKER,
  'apt-get install --no-install-recommends buildah debootstrap': PACKAGES,
  'apt-get install haproxy pgbouncer': PACKAGES,
  'deploy/build-image.sh && deploy/build-image.sh --target local --tag slipway:local': IMAGES,
  'SET_UP_FROM=images npm run test:campaigns -- test/deploy/set-up.campaign.test.ts': IMAGES,
  'kubectl create namespace slipway': CLUSTER,
  'kubectl -n slipway create secret generic slipway-api --from-env-file=…': CLUSTER,
  'npm run ops -- …': ALIAS,
  'slipway ops …': NAME,
  'npm run migrate -- up': ALIAS,
  'slipway migrate up': NAME,
  'migrate up': NAME,
  'ops doctor --of api': NAME,
  'ops status': NAME,
  'ops lanes make': NAME,
  'ops pairs add': NAME,
  'ops switches set': NAME,
  'npm run conformance -- --fork https://one.example/key': 'needs mainnet behind one.example, of which it makes a fork',
  'docker compose --env-file deploy/compose.env -f temporal-docker-compose.yml --profile service up -d --wait': DOCKER,
  'kubectl apply -k deploy/kubernetes': CLUSTER,
  'npm run setup': 'the test runs in a checkout that is set up',
  'amtool alert add SlipwayTest severity=page':
    'needs Alertmanager; test/deploy/monitoring.campaign.test.ts loads its settings',
  'kubectl -n slipway get serviceaccounts -o yaml': CLUSTER,
  'kubectl -n slipway describe networkpolicy': CLUSTER,
  'docker run --rm -p 4318:4318 -p 16686:16686 jaegertracing/jaeger:latest': DOCKER,
  'OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 npm start':
    'starts a local stack, with Jaeger beside it; test/observe reads the spans',
  "alias slipway-compose='docker compose --env-file deploy/compose.env -f temporal-docker-compose.yml --profile service'":
    DOCKER,
  'slipway-compose run --rm --no-deps migrate': DOCKER,
  'slipway-compose up -d --wait': DOCKER,
  'kubectl -n slipway delete job migrate --ignore-not-found': CLUSTER,
  'kubectl -n slipway wait --for=condition=complete --timeout=30m job/migrate': CLUSTER,
  'temporal worker deployment set-current-version --deployment-name slipway --build-id 2026-12-01': VERSIONS,
  'temporal worker deployment describe --name slipway': VERSIONS,
  'npm run drill': DRILL,
  'npm run drill -- --clients 6 --hold 60 --kill api,api-2,worker,worker-2,proxy,pgbouncer,primary': DRILL,
  'npm run drill -- --kill none --move-queue': DRILL,
  'npm run drill -- --kill none --plant landed-is-not-charged': DRILL,
  "pg_basebackup -D /var/lib/postgresql/standby -R -C -S standby -X stream -d 'host=db1 user=replicator application_name=standby'":
    STANDBY,
  'pg_ctl -D /var/lib/postgresql/standby -w start': STANDBY,
  'psql -h db1 -c "create role replicator replication login password \'…\'"': STANDBY,
  "psql -h db1 -c \"alter system set synchronous_standby_names = 'standby'\" -c 'select pg_reload_conf()'": STANDBY,
  "psql -h db1 -c 'select application_name, state, sync_state from pg_stat_replication'": STANDBY,
  'psql -h db1 -c "select count(*) from pg_stat_activity where wait_event = \'SyncRep\'"': STANDBY,
  "psql -h db1 -c \"alter system set synchronous_standby_names = ''\" -c 'select pg_reload_conf()'": STANDBY,
  'psql -h db1 -c "select pg_drop_replication_slot(\'standby\')"': STANDBY,
  "psql -h db2 -c 'select pg_promote()'": STANDBY,
  'kubectl rollout restart deployment/api': CLUSTER,
  "alter system set primary_conninfo = ''": STANDBY,
  'select pg_last_wal_receive_lsn()': STANDBY,
  'alter system reset synchronous_standby_names': STANDBY,
};
