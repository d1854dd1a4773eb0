// See sdk-download.ts. The SDK downloads only while starting a server.
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { errorText } from '../../../domain/error-text.ts';
import { TEMPORAL_CLI_VERSION } from './version.ts';

const [directory] = process.argv.slice(2);
if (directory === undefined) throw new Error('usage: sdk-download-main.ts DIRECTORY');
try {
  const environment = await TestWorkflowEnvironment.createLocal({
    server: {
      executable: { type: 'cached-download', downloadDir: directory, version: `v${TEMPORAL_CLI_VERSION}` },
    },
  });
  await environment.teardown();
} catch (error) {
  console.error(errorText(error));
  process.exit(1);
}
