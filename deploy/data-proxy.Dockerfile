# Build from the root of the workspace: docker build -f deploy/data-proxy.Dockerfile .

FROM node:24-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --include=dev --ignore-scripts --no-audit --no-fund
COPY nest-cli.json tsconfig.json ./
COPY libs libs
COPY examples/data-proxy examples/data-proxy
RUN node_modules/.bin/nest build data-proxy

# The same in all images, so that they share the layer. Optional dependencies are the binaries of the embedded PostgreSQL,
# which production does not use; the deleted files are for editors, debuggers and other systems, and are half of the size.
FROM node:24-trixie-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete \
  && find node_modules -path '*/prebuilds/*' -type f ! -path '*/prebuilds/linux-*' -delete

# Writes only to its data directory: demo keys, and the audit trail.
FROM node:24-trixie-slim
# A volume mounted here gets this owner.
RUN install --directory --owner=node --group=node --mode=0750 /var/lib/data-proxy
ENV NODE_ENV=production DATA_PROXY_LISTEN=0.0.0.0:8080 SVC_DATA_DIR=/var/lib/data-proxy
WORKDIR /app
COPY package.json ./
COPY deploy/healthcheck.mjs deploy/healthcheck.mjs
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY examples/data-proxy/settings.yaml examples/data-proxy/settings.yaml
USER node
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --start-interval=1s \
  CMD ["node", "deploy/healthcheck.mjs", "DATA_PROXY_LISTEN"]
CMD ["node", "--enable-source-maps", "dist/examples/data-proxy/src/main.js"]
ARG VERSION=dev
LABEL org.opencontainers.image.title="Palisade data proxy" \
  org.opencontainers.image.description="Example of a data proxy that keeps tenants apart" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="$VERSION"
