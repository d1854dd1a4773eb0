import { pino } from 'pino';
import { CACHE_DIRECTORY, cachedWorkflowBundle } from './workflow-bundle.ts';

// Run once where an image is built: its workers find the bundle of their workflows and write nothing.
await cachedWorkflowBundle(CACHE_DIRECTORY, pino({ base: { process: 'write-bundle' } }));
