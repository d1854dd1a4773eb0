import { mergeConfig } from 'vite';
import { localEntry } from './local-entry.ts';
import site from './vite.config.ts';

export default mergeConfig(site, { plugins: [localEntry()] });
