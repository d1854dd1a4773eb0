import { pino } from 'pino';
import { CACHE_DIRECTORY, cachedWorkflowBundle } from './workflow-bundle.ts';

const logger = pino({ base: { process: 'write-bundle' } });

// Run once where an image is built: its workers find the bundles of their workflows and write nothing.
await cachedWorkflowBundle(CACHE_DIRECTORY, logger, 'plain');
await cachedWorkflowBundle(CACHE_DIRECTORY, logger, 'traced');
