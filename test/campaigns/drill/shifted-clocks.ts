import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onPath } from '../../support/on-path.ts';
import type { RealStack } from '../chaos/processes/real-stack.ts';

/** A clock that is ahead, or behind by a negative number, in a process of Node: what Date says, and the date of its HTTP responses. */
const OF_NODE = `
import { ServerResponse } from 'node:http';
const RealDate = Date;
const now = () => RealDate.now() + AHEAD_MS;
globalThis.Date = class extends RealDate {
  constructor(...parts) { if (parts.length === 0) super(now()); else super(...parts); }
  static now() { return now(); }
};
const { writeHead } = ServerResponse.prototype;
ServerResponse.prototype.writeHead = function (...parts) {
  if (!this.headersSent) this.setHeader('date', new Date().toUTCString());
  return writeHead.apply(this, parts);
};
`;

/** The variable that has a process of Node live so many ms ahead; behind by a negative number. */
export function clockAhead(stack: RealStack, aheadMs: number): Record<string, string> {
  const file = join(stack.layout.temporary, `shifted-clock${aheadMs}.mjs`);
  writeFileSync(file, OF_NODE.replace('AHEAD_MS', `${aheadMs}`));
  return { NODE_OPTIONS: `--import=${file}` };
}

/** The C compiler; undefined where it is not on PATH. */
export const COMPILER = onPath('cc');

/** A clock that is ahead, in a program that calls the C library. */
const OF_C = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>
int clock_gettime(clockid_t id, struct timespec *to) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(id, to);
  if (result == 0 && id == CLOCK_REALTIME) to->tv_sec += AHEAD_SECONDS;
  return result;
}
int gettimeofday(struct timeval *restrict to, void *restrict zone) {
  static int (*real)(struct timeval *, void *);
  if (!real) real = dlsym(RTLD_NEXT, "gettimeofday");
  int result = real(to, zone);
  if (result == 0) to->tv_sec += AHEAD_SECONDS;
  return result;
}
time_t time(time_t *to) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (to) *to = now.tv_sec;
  return now.tv_sec;
}
`;

/** The variable that has a program in C, such as PostgreSQL, live so many seconds ahead; behind by a negative number. */
export function clockOfCAhead(stack: RealStack, aheadSeconds: number): Record<string, string> {
  const source = join(stack.layout.temporary, `shifted-clock${aheadSeconds}.c`);
  const library = join(stack.layout.temporary, `shifted-clock${aheadSeconds}.so`);
  writeFileSync(source, OF_C.replaceAll('AHEAD_SECONDS', `${aheadSeconds}`));
  execFileSync(COMPILER ?? 'cc', ['-shared', '-fPIC', '-o', library, source, '-ldl']);
  return { LD_PRELOAD: library };
}
