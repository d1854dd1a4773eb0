import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { relative } from 'node:path';
import type { TestProject } from 'vitest/node';
import { errorTextWithCauses } from '../../domain/error-text.ts';
import { needsTemporal } from './imports.ts';
import { createTestServices, type TestServices } from './services.ts';
import { onPath } from '../support/on-path.ts';
import { hasPython } from '../support/python.ts';
import { chromiumPath } from '../support/web/chromium-path.ts';
import { skippedLayers } from './skipped-layers.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where test files ask for the servers they need. */
    testServicesUrl: string;
  }
}

function say(text: string): void {
  process.stderr.write(`tests: ${text}\n`);
}

/** Answers `GET /postgres` and `GET /temporal` with the addresses, after starting what was asked for. */
async function serve(services: TestServices): Promise<Server> {
  const routes = new Map<string, () => Promise<object>>([
    ['/postgres', services.postgres],
    ['/temporal', services.temporal],
  ]);
  const server = createServer((request, response) => {
    const route =
      routes.get(request.url ?? '') ?? (() => Promise.reject(new Error(`no service at ${request.url ?? ''}`)));
    route().then(
      (body) => response.end(JSON.stringify(body)),
      (error: unknown) => {
        response.statusCode = 500;
        response.end(errorTextWithCauses(error));
      },
    );
  });
  // A first build of the Temporal server takes minutes.
  server.requestTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Filters of the command line; they are not in Vitest's public types, and without them every file counts. */
function filtersOf({ vitest }: TestProject): string[] {
  return 'filenamePattern' in vitest && Array.isArray(vitest.filenamePattern) ? vitest.filenamePattern.map(String) : [];
}

/** Whether a test file that is about to run asks for Temporal: its binary is built before any test's clock runs. */
async function isTemporalNeeded(project: TestProject): Promise<boolean> {
  const specifications = await project.vitest.getRelevantTestSpecifications(filtersOf(project));
  return specifications.some(({ moduleId }) => needsTemporal(relative(project.vitest.config.root, moduleId)));
}

/** Runs once before all test files; what it returns runs once after them. */
export default async function globalSetup(project: TestProject): Promise<() => Promise<void>> {
  const services = createTestServices(say);
  const server = await serve(services);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the test services have no port');
  project.provide('testServicesUrl', `http://127.0.0.1:${address.port}`);
  // Where it cannot be had, the tests that ask for it fail and say why; the others still run.
  if (await isTemporalNeeded(project))
    await services.temporalBinary().catch((error: unknown) => {
      say(errorTextWithCauses(error));
    });
  return async () => {
    server.closeAllConnections();
    server.close();
    await services.stop();
    // The last lines of a whole run: a reader of them must know what they do not speak of.
    if (filtersOf(project).length > 0) return;
    const atHand = {
      programsDir: process.env['PROGRAMS_DIR'],
      hasPython: hasPython(),
      hasChromium: chromiumPath() !== undefined,
      hasPromtool: onPath('promtool') !== undefined,
      hasPgbouncer: onPath('pgbouncer') !== undefined,
      hasHaproxy: onPath('haproxy') !== undefined,
      hasNginx: onPath('nginx') !== undefined,
    };
    skippedLayers(atHand).forEach(say);
  };
}
