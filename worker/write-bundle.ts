import { pino } from 'pino';
import { CACHE_DIRECTORY, cachedWorkflowBundle } from './workflow-bundle.ts';

const logger = pino({ base: { process: 'write-bundle' } });

// Runs once per image build, so that its workers find their bundles and write nothing.
await cachedWorkflowBundle(CACHE_DIRECTORY, logger, 'plain');
await cachedWorkflowBundle(CACHE_DIRECTORY, logger, 'traced');
