import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createDependencyMeter, type Dependency } from '../../observe/dependency-meter.ts';

/** The page of a process with these dependencies, and what it logged. */
function pageOf(dependencies: readonly Dependency[]) {
  const logged: string[] = [];
  const log = (fields: object, message: string) => void logged.push(`${message}: ${JSON.stringify(fields)}`);
  const registry = new Registry();
  registry.registerMetric(createDependencyMeter(dependencies, { info: log, warn: log }));
  return { logged, read: () => registry.metrics() };
}

it('a dependency that hangs is down, and hides no other', { timeout: 10_000 }, async () => {
  const { read } = pageOf([
    { name: 'temporal', check: () => new Promise<never>(() => undefined) },
    { name: 'rpc', endpoint: 'one.example', check: () => Promise.reject(new Error('HTTP 503')) },
    { name: 'rpc', endpoint: 'two.example', check: () => Promise.resolve() },
  ]);
  const page = await read();
  expect(page).toContain('slipway_dependency_up{dependency="temporal",endpoint=""} 0');
  expect(page).toContain('slipway_dependency_up{dependency="rpc",endpoint="one.example"} 0');
  expect(page).toContain('slipway_dependency_up{dependency="rpc",endpoint="two.example"} 1');
});

it('the reason is logged once when it begins, and its end once', async () => {
  let problem: Error | null = new Error('no space left on device');
  const { logged, read } = pageOf([
    { name: 'storage', check: () => (problem ? Promise.reject(problem) : Promise.resolve()) },
  ]);
  await read();
  await read();
  problem = null;
  await read();
  await read();
  expect(logged).toEqual([
    expect.stringContaining('no space left on device'),
    expect.stringContaining('a dependency answers again'),
  ]);
});
