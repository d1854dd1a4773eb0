import { describe, expect, it } from 'vitest';
import { plainEnvironment } from '../../../dev/stack/service-environment.ts';
import { layoutOf } from '../../../dev/stack/layout.ts';

const layout = layoutOf('/tmp/slipway of a test');
const passedOn = (env: NodeJS.ProcessEnv) => Object.keys(plainEnvironment(env, layout)).sort();
const ALWAYS = ['SWC_NATIVE_BINDING_CACHE', 'TMPDIR'];

describe('a part that the stack starts', () => {
  it.each([
    'HTTP_PROXY',
    'http_proxy',
    'HTTPS_PROXY',
    'ALL_PROXY',
    'grpc_proxy',
    'PGHOST',
    'PGSSLMODE',
    'PGOPTIONS',
    'TEMPORAL_CLI_ADDRESS',
    'TEMPORAL_HOST_URL',
    'NODE_OPTIONS',
    'NODE_ENV',
    'NODE_TLS_REJECT_UNAUTHORIZED',
    'SSL_CERT_FILE',
    'DEBUG',
    'LD_PRELOAD',
    'GRPC_VERBOSITY',
    'RUST_LOG',
    // A company's certificates, another OpenSSL, libraries of another program.
    'NODE_EXTRA_CA_CERTS',
    'OPENSSL_CONF',
    'LD_LIBRARY_PATH',
    // Profiles of other servers.
    'PGSERVICE',
    'PGPASSFILE',
    'TEMPORAL_CONFIG_FILE',
    'TEMPORAL_PROFILE',
    // What package managers and test runners hand down.
    'npm_config_prefix',
    'NODE_V8_COVERAGE',
    'VITEST',
    'BASH_ENV',
    'INSTANCE_ID',
  ])('does not see %s of the shell', (name) => {
    expect(passedOn({ [name]: 'what breaks' })).toEqual(ALWAYS);
  });

  it.each(['"/tmp/in quotes"', '/no such folder', '', 'relative'])(
    'keeps its temporary files where the stack is, with TMPDIR=%s',
    (TMPDIR) => {
      expect(plainEnvironment({ TMPDIR, TMP: TMPDIR, TEMP: TMPDIR }, layout)).toMatchObject({
        TMPDIR: layout.temporary,
      });
      expect(passedOn({ TMPDIR, TMP: TMPDIR, TEMP: TMPDIR })).toEqual(ALWAYS);
    },
  );

  it('sees the system’s variables and every documented setting', () => {
    const env = { PATH: '/bin', LC_ALL: 'C', RATE_LIMIT_API: '5', GRADUATION_EVERY_SECONDS: '9', AWS_REGION: 'x' };
    expect(plainEnvironment(env, layout)).toMatchObject(env);
  });

  it('sees how to reach a part only where the caller replaced that part', () => {
    const settings = { TEMPORAL_TLS: '1', TEMPORAL_API_KEY: 'k', DATABASE_READ_URL: 'postgresql://x' };
    expect(passedOn(settings)).toEqual(ALWAYS);
    const replaced = { ...settings, TEMPORAL_ADDRESS: 'temporal.example:7233', DATABASE_URL: 'postgresql://y' };
    expect(passedOn(replaced)).toEqual(expect.arrayContaining(Object.keys(settings)));
  });
});
