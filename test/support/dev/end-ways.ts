import type { ChildProcess } from 'node:child_process';

/** Ways in which the caller of an npm script ends it. `npm` was started as the leader of a process group. */
export const END_WAYS: Readonly<Record<string, (npm: ChildProcess) => void>> = {
  'SIGTERM to npm': (npm) => npm.kill('SIGTERM'),
  'SIGINT to npm': (npm) => npm.kill('SIGINT'),
  'SIGHUP to npm': (npm) => npm.kill('SIGHUP'),
  'kill -9 of npm': (npm) => npm.kill('SIGKILL'),
  'a closed terminal': (npm) => {
    npm.stdout?.destroy();
    npm.stderr?.destroy();
    process.kill(-(npm.pid ?? 0), 'SIGHUP');
  },
  'Ctrl-C': (npm) => process.kill(-(npm.pid ?? 0), 'SIGINT'),
};
