import { performance } from 'node:perf_hooks';

/** Time that must be looked at before it says anything, ms. */
const WINDOW_MS = 200;
/** Work in a window that is too little to judge by, ms. */
const LEAST_WORK_MS = 20;
/** A process may be starved more; slots that are longer still help nobody. */
const MOST = 8;
/** How much of an earlier window's starvation is still believed in the next one. */
const MEMORY = 0.5;

/**
 * How many times longer this thread's work takes than it would with a core to itself: the time that its event loop was busy,
 * divided by the CPU time it got. 1 on a quiet machine.
 */
export function createStarvationMeter(): () => number {
  let loop = performance.eventLoopUtilization();
  let cpuMs = threadCpuMs();
  let since = performance.now();
  let factor = 1;
  return () => {
    const now = performance.now();
    if (now - since < WINDOW_MS) return factor;
    const { active } = performance.eventLoopUtilization(loop);
    const worked = threadCpuMs() - cpuMs;
    const seen = active < LEAST_WORK_MS ? 1 : active / Math.max(worked, 1);
    factor = Math.min(MOST, Math.max(1, seen, 1 + (factor - 1) * MEMORY));
    [loop, cpuMs, since] = [performance.eventLoopUtilization(), threadCpuMs(), now];
    return factor;
  };
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
