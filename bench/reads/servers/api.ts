import { buildApp } from '../../../api/app.ts';
import { createLogger, logDestination } from '../../../api/plugins/logging.ts';
import { connect } from '../../../db/connect.ts';
import { testConfig } from '../../../test/support/api/api-config.ts';
import { testDeps } from '../../../test/support/api/test-app.ts';
import { serveParent } from '../server-process.ts';

// With its log, limits beyond the load.
const limit = '10000000';
const config = testConfig({ RATE_LIMIT_API: limit, RATE_LIMIT_ASSET_INDEX: limit });
const logger = createLogger('info', logDestination('/dev/null'));
const db = connect(process.argv[2]!, { maxConnections: 10 });
const app = await buildApp(testDeps({ config, logger, db }));
await app.listen({ host: '127.0.0.1', port: 0 });
serveParent(app.server.address());
