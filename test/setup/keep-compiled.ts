import { flushCompileCache } from 'node:module';
import { afterAll } from 'vitest';

// Vitest ends the process of a test file by a signal, upon which Node would forget what it has compiled.
afterAll(() => flushCompileCache());
