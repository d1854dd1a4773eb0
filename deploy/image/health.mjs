// Ends with 0 where this container's API or worker lives. Whether it is ready (/readyz) is another question: a database that is
// away must not restart everybody.
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
