// 0 where this container's API or worker lives. Not /readyz: an absent database must not restart all.
const ports = [process.env.PORT || 8080, process.env.WORKER_PORT || 8081];
const alive = await Promise.all(
  ports.map((port) =>
    fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(4_000) }).then(
      ({ ok }) => ok,
      () => false,
    ),
  ),
);
process.exit(alive.includes(true) ? 0 : 1);
