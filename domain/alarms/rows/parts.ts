import type { Alarm } from '../alarm.ts';

const DOWN = 'when-a-part-is-down';
/** Another one serves where one of these is away. */
const SPARES = ['rpc', 'read_replica', 'stream'];
const STATUS = 'npm run ops -- status';
const DOCTOR = 'npm run ops -- doctor --of worker';

const CLOCK = { kind: 'series', by: ['job', 'instance'], reduce: 'max' } as const;

/** Processes and what they depend on. */
export const PART_ALARMS = {
  SlipwayAlarmsWork: {
    subject: 'monitoring',
    severity: 'none',
    when: { kind: 'always' },
    line: 'alerts arrive: the receiver of this one calls a person when it stays away',
    chapter: 'the-alert-that-always-fires',
    command: STATUS,
  },
  SlipwayNotScraped: {
    subject: 'monitoring',
    severity: 'page',
    when: { kind: 'query', promql: 'absent(up{job="slipway-api"}) or absent(up{job="slipway-worker"})' },
    lasting: '2m',
    line: 'Prometheus finds no API or no worker',
    chapter: 'the-first-five-minutes',
    command: STATUS,
  },
  SlipwayDown: {
    subject: 'worker',
    severity: 'page',
    when: { kind: 'query', promql: 'up{job=~"slipway-.*"} == 0' },
    lasting: '2m',
    line: '{job} at {instance} does not answer; see its /readyz',
    chapter: DOWN,
    command: STATUS,
  },
  SlipwayTemporalPartGone: {
    subject: 'worker',
    severity: 'page',
    when: { kind: 'series', metric: 'slipway_temporal_metrics_up', by: ['instance'], reduce: 'min', below: 1 },
    lasting: '5m',
    line: 'the Temporal part of the worker at {instance} is gone',
    chapter: DOWN,
    command: DOCTOR,
  },
  SlipwayWorkerStarting: {
    subject: 'worker',
    severity: 'page',
    when: { kind: 'query', promql: 'up{job="slipway-worker"} == 1 unless on (instance) slipway_temporal_metrics_up' },
    lasting: '5m',
    line: 'the worker at {instance} does not finish starting; see its log',
    chapter: DOWN,
    command: DOCTOR,
  },
  SlipwayDependencyDown: {
    subject: 'temporal',
    severity: 'page',
    when: {
      kind: 'any',
      of: [
        {
          kind: 'series',
          metric: 'slipway_dependency_up',
          where: { dependency: { not: SPARES } },
          by: ['job', 'dependency', 'endpoint'],
          reduce: 'min',
          below: 1,
        },
        {
          kind: 'query',
          promql:
            'min by (job, dependency) (sum by (job, instance, dependency) (slipway_dependency_up{dependency="rpc"}) - clamp_max(count by (job, instance, dependency) (slipway_dependency_up{dependency="rpc"}), 2)) < 0',
        },
      ],
    },
    lasting: '2m',
    line: '{job} gets no answer from {dependency} {endpoint}, or from too few of its endpoints for a quorum',
    chapter: DOWN,
    command: DOCTOR,
  },
  SlipwaySpareDown: {
    subject: 'rpc',
    severity: 'ticket',
    when: {
      kind: 'series',
      metric: 'slipway_dependency_up',
      where: { dependency: SPARES },
      by: ['job', 'dependency', 'endpoint'],
      reduce: 'min',
      below: 1,
    },
    lasting: '5m',
    line: '{job} gets no answer from {dependency} {endpoint}; another one serves in its place',
    chapter: DOWN,
    command: DOCTOR,
  },
  SlipwayClocksDiffer: {
    subject: 'clock',
    severity: 'page',
    when: {
      kind: 'any',
      of: [
        { ...CLOCK, metric: 'slipway_database_clock_skew_seconds', read: 'size', above: 5 },
        { ...CLOCK, metric: 'slipway_temporal_clock_skew_seconds', read: 'size', above: 10 },
        // One that is behind is `SlipwayChainStands`.
        { ...CLOCK, metric: 'slipway_chain_clock_skew_seconds', above: 60 },
      ],
    },
    lasting: '2m',
    line: 'the clock of {job} at {instance} differs from that of the database, Temporal or the chain by {value}',
    unit: 'seconds',
    chapter: DOWN,
    command: 'timedatectl; npm run ops -- doctor',
  },
  SlipwayChainStands: {
    subject: 'rpc',
    severity: 'page',
    when: {
      kind: 'series',
      metric: 'slipway_chain_clock_skew_seconds',
      reduce: 'max',
      read: 'negated',
      above: 60,
    },
    lasting: '1m',
    line: 'the newest confirmed block is {value} old: the chain halted, or every endpoint lags',
    unit: 'seconds',
    chapter: DOWN,
    command:
      'status.solana.com shows no halt: put other endpoints into SOLANA_RPC_URL, restart api and worker; until then npm run ops -- switches set launching off --note "no new blocks"',
  },
  SlipwayDiskFull: {
    subject: 'disk',
    severity: 'page',
    when: {
      kind: 'series',
      metric: 'slipway_disk_free_ratio',
      by: ['job', 'instance', 'disk'],
      reduce: 'min',
      below: 0.1,
    },
    lasting: '5m',
    line: 'the disk of {job} at {instance} for {disk} is nearly full: {value} is left',
    unit: 'share',
    chapter: DOWN,
    command: 'df -h',
  },
  SlipwayDatabaseRefuses: {
    subject: 'database',
    severity: 'page',
    when: {
      kind: 'series',
      metric: 'slipway_database_writable',
      by: ['job', 'instance'],
      reduce: 'min',
      below: 1,
    },
    lasting: '1m',
    line: 'the database of {job} at {instance} is away or takes no writes; see its /readyz',
    chapter: DOWN,
    command: STATUS,
  },
  SlipwayCommitsWait: {
    subject: 'database',
    severity: 'page',
    when: { kind: 'query', promql: 'max(max_over_time(slipway_commit_wait_seconds[2m])) > 10' },
    line: 'no commit is confirmed: one waits for the synchronous standby for {value}',
    unit: 'seconds',
    chapter: DOWN,
    command: STATUS,
  },
  SlipwayTemporalFailing: {
    subject: 'temporal',
    severity: 'page',
    when: {
      kind: 'query',
      // A full disk refuses writes and still serves reads, so each kind of request counts by itself.
      promql: [
        'max by (job, instance) (',
        'sum by (job, instance, operation) (rate(temporal_request_failure_total{status_code=~"UNAVAILABLE|INTERNAL|UNKNOWN|RESOURCE_EXHAUSTED|DEADLINE_EXCEEDED"}[5m]))',
        '/ sum by (job, instance, operation) (rate(temporal_request_total[5m])) > 0.5',
        'and sum by (job, instance, operation) (increase(temporal_request_failure_total{status_code=~"UNAVAILABLE|INTERNAL|UNKNOWN|RESOURCE_EXHAUSTED|DEADLINE_EXCEEDED"}[5m])) > 3)',
      ].join(' '),
    },
    lasting: '3m',
    line: 'Temporal refuses {value} of one kind of requests of {job} at {instance}: its disk may be full, or its database away',
    unit: 'share',
    chapter: DOWN,
    command: STATUS,
  },
  SlipwayRpcFailing: {
    subject: 'rpc',
    severity: 'page',
    when: {
      kind: 'query',
      promql:
        'sum by (endpoint) (rate(slipway_worker_rpc_call_duration_seconds_count{outcome!="answered"}[5m])) / sum by (endpoint) (rate(slipway_worker_rpc_call_duration_seconds_count[5m])) > 0.5',
    },
    lasting: '5m',
    line: 'more than half of the calls to {endpoint} fail',
    chapter: DOWN,
    command: 'npm run ops -- doctor',
  },
  SlipwayBlockEngineFailing: {
    subject: 'block engine',
    severity: 'page',
    when: {
      kind: 'query',
      promql:
        'sum(rate(slipway_block_engine_sends_total{outcome!="taken"}[2m])) > sum(rate(slipway_block_engine_sends_total{outcome="taken"}[2m]))',
    },
    lasting: '1m',
    line: 'the block engine refuses most bundles',
    chapter: DOWN,
    command: 'npm run ops -- doctor --of worker',
  },
  SlipwayWorkersFull: {
    subject: 'worker',
    severity: 'page',
    when: {
      kind: 'series',
      metric: 'temporal_worker_task_slots_available',
      where: { task_queue: ['launches'], worker_type: ['ActivityWorker'] },
      reduce: 'sum',
      below: 1,
    },
    lasting: '1m',
    line: 'too many launches for all workers: add workers',
    chapter: DOWN,
    command: 'npm run ops -- launches list',
  },
  SlipwayStarved: {
    subject: 'worker',
    severity: 'ticket',
    when: {
      kind: 'series',
      metric: 'nodejs_eventloop_lag_p99_seconds',
      by: ['job', 'instance'],
      reduce: 'max',
      above: 0.5,
    },
    lasting: '5m',
    line: '{job} at {instance} is starved of CPU',
    chapter: 'logs-and-alarms',
    command: 'top',
  },
  SlipwayDatabasePoolFull: {
    subject: 'api',
    severity: 'ticket',
    when: {
      kind: 'series',
      metric: 'slipway_api_database_connections',
      where: { state: ['waiting'] },
      by: ['instance'],
      reduce: 'max',
      above: 0,
    },
    lasting: '5m',
    line: 'requests at {instance} wait for a database connection: raise DATABASE_POOL_SIZE or add an API',
    chapter: 'logs-and-alarms',
    command: 'npm run ops -- doctor --of api',
  },
  SlipwayCertificateEnds: {
    subject: 'certificate',
    severity: 'page',
    when: { kind: 'status', why: 'a process does not see the certificate that ends TLS in front of it' },
    line: 'a certificate of the site or of Temporal ends soon or is not accepted',
    chapter: 'the-alert-that-always-fires',
    command: STATUS,
  },
  SlipwayBackupLate: {
    subject: 'backup',
    severity: 'page',
    when: { kind: 'status', why: 'no process sees where backups lie' },
    line: 'the newest base backup is too old, or the archive of WAL fails',
    chapter: 'the-alert-that-always-fires',
    command: STATUS,
  },
} as const satisfies Record<string, Alarm>;
