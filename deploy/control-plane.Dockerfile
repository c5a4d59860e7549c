# Build from the root of the workspace: docker build -f deploy/control-plane.Dockerfile .

FROM node:24-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --include=dev --ignore-scripts --no-audit --no-fund
COPY nest-cli.json tsconfig.json ./
COPY libs libs
COPY apps/control-plane apps/control-plane
RUN node_modules/.bin/nest build control-plane

# The same in all images, so that they share the layer. Optional dependencies are the binaries of the embedded PostgreSQL,
# which production does not use; the deleted files are for editors, debuggers and other systems, and are half of the size.
FROM node:24-trixie-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete \
  && find node_modules -path '*/prebuilds/*' -type f ! -path '*/prebuilds/linux-*' -delete

# Writes only the files of a load balancer, so its file system can be mounted read-only. HAProxy is only used to check
# configurations: run the same version, 3.0, as the load balancer, or name another program with load_balancer.binary.
FROM node:24-trixie-slim
RUN apt-get update && apt-get install --yes --no-install-recommends haproxy && rm -rf /var/lib/apt/lists/* /var/log/*
# Volumes mounted here get this owner: the load balancer's files, and its sockets.
RUN install --directory --owner=node --group=node --mode=0750 /var/lib/palisade /run/palisade
ENV NODE_ENV=production SVC_CONTROL_LISTEN=0.0.0.0:8980
WORKDIR /app
COPY package.json ./
COPY deploy/healthcheck.mjs deploy/healthcheck.mjs
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
USER node
EXPOSE 8980
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --start-interval=1s \
  CMD ["node", "deploy/healthcheck.mjs", "SVC_CONTROL_LISTEN"]
CMD ["node", "--enable-source-maps", "--max-semi-space-size=8", "dist/apps/control-plane/src/main.js"]
ARG VERSION=dev
LABEL org.opencontainers.image.title="Palisade control plane" \
  org.opencontainers.image.description="Tenants, routing, proxy pools, load balancer and DNS" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="$VERSION"
